/* Search, the theme, the run step by step, and the lists on the left. Read before: page.js; read next: controls.js. */

/* ---- search ------------------------------------------------------------------------------------------------------ */

function found() {
  const text = $("search").value.trim().toLowerCase();
  if (!text) return [];
  return sight.order.filter((id) => [id, ...sight.members.get(id)].some((one) => words(data.facts[one]).includes(text)));
}

/** All that a node can be found by; what is inside a closed frame is found there. */
function words(fact) {
  const names = [...fact.results, ...framesOf(fact)].map((one) => one.name ?? one.title);
  return [fact.title, fact.op, fact.file ? `${fact.file}:${fact.line}` : "", fact.state, ...names].join("\n").toLowerCase();
}

function showFound() {
  const hits = new Set(found());
  for (const node of nodes()) node.classList.toggle("found", hits.has(node.dataset.node));
  say($("search").value.trim() ? `§${hits.size} found§` : "");
}

function nextFound() {
  const hits = found();
  if (hits.length) choose(hits[(hits.indexOf(state.node) + 1) % hits.length]);
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  $("themes").value = name;
  minimap.draw();
}

/* ---- replay ------------------------------------------------------------------------------------------------------ */

function goToStep(step) {
  const last = sight.order.length - 1;
  state.step = step === null ? null : Math.min(Math.max(step, 0), last);
  showReplay();
  writeLink();
}

/** Mark what is seen as done, now, or later: only what a step changes, for a large picture has thousands of nodes. */
function showReplay() {
  const { order } = view();
  const { step, shown } = state;
  svg().classList.toggle("replay", step !== null);
  const isPart = step !== null && shown !== null;
  const [first, last] = isPart ? [Math.min(step, shown), Math.max(step, shown)] : [0, order.length - 1];
  for (let place = first; place <= last; place++) {
    const isLater = step !== null && place > step;
    for (const node of state.shapes.get(order[place]) ?? []) {
      node.classList.toggle("now", place === step);
      node.classList.toggle("later", isLater);
    }
    for (const arrow of state.arrows.get(order[place]) ?? []) arrow.classList.toggle("later", isLater); // not travelled yet
  }
  state.shown = step;
  $("step").value = String(state.step ?? 0);
  showSentence();
  const id = order[state.step];
  if (id) {
    stage.makeReadable(shape(id));
    stage.bringIntoView(shape(id));
    state.node = id;
    showChoice();
  }
}

function showSentence() {
  const { order } = view();
  $("sentence").textContent =
    state.step === null
      ? "§move the slider or press play§"
      : `§${state.step + 1} of ${order.length}:§ ${sentence(order[state.step])}`;
}

/** One plain sentence; in a loop it begins with the iteration, which the same operators do not tell. */
function sentence(id) {
  const fact = data.facts[id];
  const round = framesOf(fact).findLast((frame) => frame.iteration);
  const said = fact.says || fact.title;
  return round ? `${round.title}: ${said}` : said;
}

function play() {
  if (state.playing) return pause();
  if (state.step === null || state.step >= sight.order.length - 1) goToStep(0);
  state.playing = setInterval(() => {
    if (state.step >= sight.order.length - 1) pause();
    else goToStep(state.step + 1);
  }, 700);
  $("play").textContent = "§pause§";
}

function pause() {
  clearInterval(state.playing);
  state.playing = null;
  $("play").textContent = "§play§";
}

/* ---- on the left: list of steps, source -------------------------------------------------------------------------- */

/** List the run; where it enters or leaves a layer, a body or an iteration, a line says so. */
function showSteps() {
  const list = $("steps");
  list.replaceChildren();
  let around = "";
  for (const id of sight.order) {
    const fact = data.facts[id];
    const frames = framesOf(fact).map((frame) => frame.title).join(" › ");
    const item = element("li", fact.says || fact.title, `side-${fact.side}`);
    if (frames !== around) item.dataset.within = frames || "§outside§";
    around = frames;
    item.dataset.node = id;
    list.append(item);
  }
}

/** Mark the lines of the source that made nodes of this pass. */
function markLines() {
  const made = new Map();
  for (const id of data.order) {
    const { file, line } = data.facts[id];
    if (file) made.set(`${file}:${line}`, [...(made.get(`${file}:${line}`) ?? []), id]);
  }
  for (const line of document.querySelectorAll(".line")) {
    const ids = made.get(line.dataset.at);
    if (ids) Object.assign(line.dataset, { nodes: ids.join(" "), count: ids.length });
    else for (const name of ["nodes", "count"]) delete line.dataset[name];
  }
}

const lineAt = (at) => document.querySelector(`.line[data-at="${CSS.escape(at)}"]`);

function showLine() {
  for (const line of document.querySelectorAll(".line.here")) line.classList.remove("here");
  const fact = state.node && data.facts[state.node];
  const line = fact?.file && lineAt(`${fact.file}:${fact.line}`);
  if (!line) return;
  line.classList.add("here");
  if (!$("source").hidden) line.scrollIntoView({ block: "center" });
}

/** Go through the nodes of a source line, one with each click. */
function chooseOnLine(ids) {
  const here = [...new Set(ids.map(standInOf))].filter((id) => id && shape(id));
  if (here.length) choose(here[(here.indexOf(state.node) + 1) % here.length]);
}

function showTab(name) {
  for (const tab of ["steps", "source"]) {
    $(tab).hidden = tab !== name;
    $(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
  }
  showLine();
}

/** Fold the list on the left away, or bring it back. */
function unfoldLeft(open) {
  document.documentElement.classList.toggle("folded", !open);
  $("fold").setAttribute("aria-expanded", String(open));
}

const isFolded = () => document.documentElement.classList.contains("folded");
