// The two plots: offsets above, lag below, as steps (a value holds until the next). One scale of time for both.
(() => {
  const part = window.historyChart;
  const steps = [];
  for (let power = 1; power < 1e16; power *= 10) steps.push(power, 2 * power, 5 * power);

  const stepped = (chart, place, from, to) => uPlot.paths.stepped({ align: 1 })(chart, place, from, to);

  function coloursNow() {
    const lines = ["line-1", "line-2", "line-3", "line-4", "line-5", "line-6"].map(part.colour);
    const names = ["accent", "dim", "line", "replay", "ink"];
    return { lines, ...Object.fromEntries(names.map((name) => [name, part.colour(name)])) };
  }

  function timeLabels(state) {
    return (chart, splits, axis, space, step) =>
      splits.map((seconds) => {
        const clock = part.minute(seconds, state.data.zone);
        return step >= 86400 || clock === "00:00" ? part.day(seconds, state.data.zone) : clock;
      });
  }

  function widthOf(chart, labels) {
    const longest = Math.max(0, ...(labels || []).map((label) => label.length));
    return Math.max(48, 16 + longest * 6.7);
  }

  function axes(state, isFirst, width) {
    const look = { stroke: state.colours.dim, font: "11px Inter, system-ui, sans-serif", ticks: { show: false } };
    return [
      { ...look, grid: { show: false }, values: isFirst ? timeLabels(state) : () => [], space: 64, size: isFirst ? 30 : 6 },
      {
        ...look,
        grid: { stroke: state.colours.line, width: 1 },
        incrs: steps,
        space: 40,
        size: () => width(),
        values: (chart, splits) => splits.map((value) => (Number.isInteger(value) ? part.shown(value) : "")),
      },
    ];
  }

  function line(state, label, colour, extra) {
    return { label, stroke: colour, width: 1.5, paths: stepped, points: { show: false }, spanGaps: false, ...extra };
  }

  function each(state) {
    const dash = (place) => (place < 6 ? undefined : [5, 3]);
    return state.data.lines.map((one, place) =>
      line(state, one.name, state.colours.lines[place % 6], { dash: dash(place) }));
  }

  function seriesOf(state, isFirst) {
    const { colours, data } = state;
    if (data.each) return [{}, ...each(state)];
    if (!isFirst) return [{}, line(state, data.words.lag, colours.accent, { fill: state.lagFill })];
    return [{}, line(state, data.words.log_end, colours.dim), line(state, data.words.committed, colours.accent, { width: 2 })];
  }

  function dataOf(state, isFirst) {
    const { at, lines, each: apart } = state.data;
    if (apart) return [at, ...lines.map((one) => part.plain(isFirst ? one.committed : one.lag))];
    const one = lines[0];
    return isFirst ? [at, part.plain(one.log_end), part.plain(one.committed)] : [at, part.plain(one.lag)];
  }

  function options(state, isFirst, box, onCursor) {
    const range = isFirst
      ? (chart, low, high) => (low === null ? [0, 1] : uPlot.rangeNum(low, high === low ? low + 1 : high, 0.08, false))
      : (chart, low, high) => [0, Math.max(1, high || 0) * 1.1];
    const width = () => widthOf(null, state.labels);
    return {
      width: box.clientWidth,
      height: isFirst ? state.heights[0] : state.heights[1],
      padding: [isFirst ? 22 : 10, 14, 0, 0],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), state.data.zone),
      scales: { x: { time: true, range: () => [state.data.from, state.data.to] }, y: { range } },
      axes: axes(state, isFirst, width),
      series: seriesOf(state, isFirst),
      legend: { show: false },
      cursor: { sync: { key: state.key }, drag: { x: false, y: false }, points: { size: 7 }, y: false },
      hooks: {
        drawClear: [part.under(state, isFirst)],
        draw: [part.over(state, isFirst)],
        setCursor: [(chart) => isFirst && onCursor(chart.cursor.idx)],
      },
    };
  }

  function labelsOf(data) {
    const numbers = data.lines.flatMap((one) => [...one.committed, ...one.log_end, ...one.lag]);
    const largest = Math.max(0, ...part.plain(numbers).filter((value) => value !== null));
    return [part.shown(Math.ceil(largest))];
  }

  Object.assign(window.historyChart, { options, dataOf, labelsOf, coloursNow });
})();
