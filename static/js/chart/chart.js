// The history chart: an element with data-history-chart asks data-url for the numbers, draws them, and asks again every
// data-every seconds while it can be seen. Its links and its form work without this script; the table holds the same.
(() => {
  const part = window.historyChart;
  const running = new Map();

  async function ask(state) {
    const answer = await fetch(state.root.dataset.url, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`the history answered ${answer.status}`);
    return answer.json();
  }

  function say(state, text) {
    const word = state.root.querySelector("[data-live-word]");
    if (word) word.textContent = text;
  }

  function draw(state) {
    for (const chart of state.charts) chart.destroy();
    state.charts = [];
    state.box.replaceChildren();
    if (!state.data.at.length) {
      const empty = document.createElement("p");
      empty.className = "nothing";
      empty.textContent = state.data.words.empty;
      state.box.append(empty);
      return;
    }
    state.colours = part.coloursNow();
    state.lagFill = part.colour("lag-fill");
    state.heights = innerWidth < 760 ? [220, 100] : [310, 130];
    state.labels = part.labelsOf(state.data);
    for (const isFirst of [true, false]) {
      const title = document.createElement("p");
      title.className = "plot-title";
      title.textContent = isFirst ? state.data.words.offsets : state.data.words.lags;
      const holder = document.createElement("div");
      state.box.append(title, holder);
      const options = part.options(state, isFirst, state.box, (place) => part.tell(state, state.readout, place));
      state.charts.push(new uPlot(options, part.dataOf(state, isFirst), holder));
    }
    names(state);
  }

  function names(state) {
    if (!state.data.each) return;
    const list = document.createElement("ul");
    list.className = "line-names";
    state.data.lines.forEach((one, place) => {
      const item = document.createElement("li");
      item.textContent = one.name;
      item.style.setProperty("--mark", state.colours.lines[place % 6]);
      if (place >= 6) item.classList.add("dashed");
      list.append(item);
    });
    state.box.append(list);
  }

  async function refresh(state) {
    try {
      const data = await ask(state);
      const names = (one) => one?.lines.map((line) => line.name).join();
      const isSame = state.charts.length && data.at.length > 0 && names(data) === names(state.data);
      state.data = data;
      if (isSame) {
        state.labels = part.labelsOf(data);
        state.charts.forEach((chart, place) => chart.setData(part.dataOf(state, place === 0)));
      } else draw(state);
      say(state, state.root.dataset.live);
    } catch (problem) {
      say(state, state.root.dataset.lost);
    }
  }

  function start(root) {
    const box = root.querySelector("[data-plots]");
    const state = { root, box, charts: [], key: root.id, ask: root.dataset.ask || "", back: root.dataset.back || "", readout: root.querySelector("[data-readout]") };
    running.set(root, state);
    box.addEventListener("keydown", (event) => state.data && part.onKey(event, state, state.readout));
    new ResizeObserver(() => {
      for (const [place, chart] of state.charts.entries()) chart.setSize({ width: box.clientWidth, height: state.heights[place] });
    }).observe(box);
    root.querySelector("[data-what] select")?.addEventListener("change", (event) => event.target.form.requestSubmit());
    root.querySelectorAll("[data-without-script]").forEach((element) => { element.hidden = true; });
    state.asked = Date.now();
    refresh(state);
  }

  function tick() {
    if (document.hidden) return;
    for (const [root, state] of running) {
      if (!root.isConnected) running.delete(root);
      else if (Date.now() - state.asked >= Number(root.dataset.every) * 1000) {
        state.asked = Date.now();
        refresh(state);
      }
    }
  }

  const all = () => document.querySelectorAll("[data-history-chart]").forEach((root) => running.has(root) || start(root));
  const again = () => running.forEach((state) => state.data && draw(state));
  document.addEventListener("htmx:afterSettle", all);
  document.addEventListener("theme:changed", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  setInterval(tick, 1000);
  all();
})();
