// What is drawn under and over the lines: stretches not measured (hatched), what is being read again (amber), and the
// resets (a dashed line; a diamond that is a link). `state.data` is the server's answer and may change between draws.
(() => {
  function hatch(context, ratio, colour) {
    const tile = document.createElement("canvas");
    const size = Math.round(7 * ratio);
    tile.width = size;
    tile.height = size;
    const pen = tile.getContext("2d");
    pen.strokeStyle = colour;
    pen.globalAlpha = 0.35;
    pen.lineWidth = ratio;
    pen.beginPath();
    pen.moveTo(-1, size + 1);
    pen.lineTo(size + 1, -1);
    pen.stroke();
    return context.createPattern(tile, "repeat");
  }

  function within(chart, seconds) {
    const { left, width } = chart.bbox;
    return Math.min(left + width, Math.max(left, chart.valToPos(seconds, "x", true)));
  }

  function drawGaps(chart, state) {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.fillStyle = hatch(ctx, devicePixelRatio, state.colours.dim);
    for (const [from, to] of state.data.gaps) {
      const start = within(chart, from);
      ctx.fillRect(start, bbox.top, Math.max(devicePixelRatio, within(chart, to) - start), bbox.height);
    }
    ctx.restore();
  }

  function drawReplays(chart, state) {
    const { ctx } = chart;
    const at = state.data.at;
    const committed = chart.data[2];
    ctx.save();
    ctx.fillStyle = state.colours.replay;
    ctx.globalAlpha = 0.25;
    ctx.beginPath();
    for (const { from, to, level } of state.data.replays) {
      const top = chart.valToPos(Number(level), "y", true);
      at.forEach((seconds, place) => {
        if (seconds < from || seconds >= to || committed[place] === null || committed[place] >= level) return;
        const start = within(chart, seconds);
        const end = within(chart, Math.min(at[place + 1] ?? seconds, to));
        ctx.rect(start, top, end - start, chart.valToPos(committed[place], "y", true) - top);
      });
    }
    ctx.fill(); // one path, or the edges between the steps would show
    ctx.restore();
  }

  function drawMarkers(chart, state) {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = state.colours.replay;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const { at } of state.data.markers) {
      const x = within(chart, at);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  const isLeft = (chart, x) => x > chart.over.clientWidth * 0.6;

  function marker(chart, one, roomFrom, roomUntil) {
    const x = chart.valToPos(one.at, "x");
    const element = document.createElement(one.url ? "a" : "span");
    if (one.url) element.href = one.url;
    element.className = "reset-marker";
    element.title = one.text;
    element.style.left = `${x}px`;
    const label = document.createElement("span");
    label.textContent = one.text;
    const toTheLeft = isLeft(chart, x);
    const room = toTheLeft ? x - roomFrom - 16 : roomUntil - x - 16;
    label.className = toTheLeft ? "label left" : "label";
    if (room < 60) label.classList.add("visually-hidden");
    else label.style.maxWidth = `${room}px`;
    element.append(label);
    return element;
  }

  function placeMarkers(chart, state) {
    chart.over.querySelectorAll(".reset-marker").forEach((old) => old.remove());
    const all = state.data.markers;
    const places = all.map((one) => chart.valToPos(one.at, "x"));
    // Between a label to the right and the next one's to the left, each has half of the stretch.
    const border = (a, b) => (isLeft(chart, b) && !isLeft(chart, a) ? (a + b) / 2 : null);
    all.forEach((one, place) => {
      const [before, at, next] = [places[place - 1] ?? 0, places[place], places[place + 1] ?? chart.over.clientWidth];
      const from = place > 0 ? border(before, at) ?? before : 0;
      const until = place + 1 < all.length ? border(at, next) ?? next : next;
      chart.over.append(marker(chart, one, from, until));
    });
  }

  const under = (state, isFirst) => (chart) => {
    drawGaps(chart, state);
    if (isFirst && !state.data.each) drawReplays(chart, state);
  };
  const over = (state, isFirst) => (chart) => {
    if (!isFirst) return;
    drawMarkers(chart, state);
    placeMarkers(chart, state);
  };

  Object.assign(window.historyChart, { under, over });
})();
