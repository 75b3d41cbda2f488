// Moving through the chart with the keys, and the line below it that says what stood at the cursor.
(() => {
  const part = window.historyChart;

  function said(label, value) {
    const item = document.createElement("span");
    const strong = document.createElement("b");
    strong.textContent = value;
    item.append(`${label} `, strong);
    return item;
  }

  function values(state, place) {
    const { words, lines } = state.data;
    if (state.data.each) return lines.map((one) => said(one.name, `${part.shown(one.committed[place])} (${words.lag} ${part.shown(one.lag[place])})`));
    const one = lines[0];
    if (one.committed[place] === null && one.lag[place] === null) return [said("", words.none)];
    return [
      said(words.committed, part.shown(one.committed[place])),
      said(words.log_end, part.shown(one.log_end[place])),
      said(words.lag, part.shown(one.lag[place])),
      ...(one.time_lag_s[place] ? [said(words.behind, part.duration(one.time_lag_s[place], words.units))] : []),
    ];
  }

  function tell(state, readout, place) {
    if (place === null || place === undefined || !state.data.at.length) return;
    state.place = place;
    const seconds = state.data.at[place];
    const time = document.createElement("time");
    time.dateTime = new Date(Math.round(seconds * 1000)).toISOString();
    time.textContent = part.exact(seconds, state.data.zone);
    const parts = [time, ...values(state, place)];
    const asks = [[state.ask, state.data.words.ask], [state.back, state.data.words.back]];
    for (const [address, words] of asks.filter(([given]) => given)) {
      const link = document.createElement("a");
      link.href = address + encodeURIComponent(time.dateTime);
      link.textContent = words;
      parts.push(link);
    }
    readout.replaceChildren(...parts);
  }

  function moveTo(state, place) {
    const last = state.data.at.length - 1;
    const to = Math.min(last, Math.max(0, place));
    for (const chart of state.charts) chart.setCursor({ left: chart.valToPos(state.data.at[to], "x"), top: 10 }, false);
    return to;
  }

  function onKey(event, state, readout) {
    const last = state.data.at.length - 1;
    const now = state.place ?? last;
    const big = Math.max(1, Math.round(last / 20));
    const moves = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - big, PageDown: now + big, Home: 0, End: last };
    if (!(event.key in moves) || last < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    tell(state, readout, moveTo(state, moves[event.key]));
  }

  Object.assign(window.historyChart, { tell, onKey });
})();
