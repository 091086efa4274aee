/* The page's own script: what is chosen, and everything that follows from it.
 *
 * All that is shown is in the page already: the pictures as SVG (one for each view), the data as JSON. One object,
 * `state`, says what is chosen; `show...` functions bring the page in line with it. Texts are only ever set as text,
 * never as HTML: names in a script may be anything.
 */

const book = JSON.parse($("data").textContent);
let data = book.passes[0]; // the backward pass that is looked at
const state = { view: data.views[0].key, node: null, step: null, colour: "role", playing: null, toggled: -Infinity };
const stage = new Stage($("stage"), pick, (words) => { $("zoom").textContent = words; });

const view = () => data.views.find((one) => one.key === state.view);
const key = () => data.prefix + state.view;
const svg = () => document.querySelector(`.view[data-view="${CSS.escape(key())}"] svg`);
const shape = (id) => {
  const group = $(`${key()}.${id}`);
  return group?.dataset.node ? group : null; // a frame may have the id of what it is closed to in another view
};
const nodes = () => svg().querySelectorAll(".node");

/* ---- passes and views -------------------------------------------------------------------------------------------- */

function showPass(number) {
  const wanted = book.passes.find((one) => one.number === number);
  if (!wanted) return;
  data = wanted;
  $("passes").value = String(number);
  $("subtitle").textContent = data.subtitle;
  Object.assign(state, { view: data.views[0].key, node: null, step: null });
  listViews();
  markLines();
  showView(state.view);
}

/** Offer the passes that are here; one alone is not worth a choice. */
function listPasses() {
  const own = `${document.title}:`;
  for (const { number, where } of [...book.passes].sort((one, other) => one.number - other.number))
    $("passes").append(new Option(where ? `${number} · ${where.replace(own, "line ")}` : String(number), number));
  $("passes").parentElement.hidden = book.passes.length < 2;
}

function listViews() {
  $("views").replaceChildren();
  for (const { key, title, group } of data.views) {
    let place = $("views");
    if (group) {
      place = [...place.querySelectorAll("optgroup")].find((one) => one.label === group) ?? element("optgroup");
      place.label = group;
      $("views").append(place);
    }
    place.append(new Option(title, key));
  }
}

function showView(name) {
  if (!data.views.some((one) => one.key === name)) return;
  state.view = name;
  for (const one of document.querySelectorAll(".view")) one.hidden = one.dataset.view !== key();
  $("views").value = name;
  stage.show(svg());
  showColours();
  showSigns();
  showSteps();
  $("step").max = String(view().order.length - 1);
  if (state.node && !shape(state.node)) state.node = null;
  state.step = null;
  showReplay();
  showChoice();
  document.dispatchEvent(new Event("shown"));
}

/* ---- opening and closing one frame: each has a view in which it is closed ----------------------------------------- */

/** Write + on what can be opened and − on what can be closed. */
function showSigns() {
  for (const id of Object.keys(view().toggles)) {
    const group = $(`${key()}.${id}`);
    const words = group?.querySelector("text");
    if (!words || group.classList.contains("toggles")) continue;
    group.classList.add("toggles");
    words.textContent = `${group.dataset.node ? "+" : "−"} ${words.textContent}`;
  }
}

function toggle(id, event) {
  const closing = !shape(id);
  state.toggled = event?.timeStamp ?? -Infinity;
  const now = stage.box;
  showView(view().toggles[id]);
  const there = shape(id) ?? $(`${key()}.${id}`);
  stage.window = { x: now.x, y: now.y, unit: now.unit };
  if (there) stage.bringIntoView(there);
  if (shape(id)) choose(id);
  say(closing ? "closed; click + to open it" : "open");
}

/** Return the frame that can be opened or closed from a node, and which of the two. */
function frameToToggle(fact) {
  const { toggles } = view();
  if (toggles[fact.id] && shape(fact.id)) return [fact.id, "open"];
  for (let id = fact.cluster; id && data.frames[id]; id = data.frames[id].parent)
    if (toggles[id] && !shape(id)) return [id, `close ${data.frames[id].title}`];
  return [null, ""];
}

/* ---- one node is chosen ------------------------------------------------------------------------------------------ */

function pick(node, event) {
  if (event.timeStamp - state.toggled < 500) return; // the second half of a double click
  const frame = event.target.closest(".toggles");
  if (frame && event.target === frame.querySelector("text")) toggle(frame.dataset.frame ?? frame.dataset.node, event);
  else choose(node ? node.dataset.node : null);
}

function choose(id) {
  if (id && !shape(id)) {
    const elsewhere = data.views.find((one) => one.order.includes(id));
    if (!elsewhere) return;
    showView(elsewhere.key);
  }
  state.node = id;
  clearPaths();
  showChoice();
  if (id) stage.bringIntoView(shape(id));
}

function showChoice() {
  for (const node of nodes()) node.classList.toggle("chosen", node.dataset.node === state.node);
  for (const item of document.querySelectorAll("#steps li")) {
    const chosen = item.dataset.node === state.node;
    item.classList.toggle("chosen", chosen);
    if (chosen && !$("steps").hidden) item.scrollIntoView({ block: "nearest" });
  }
  showPanel();
  showLine();
  writeLink();
}

/** The node on the same row on the other side; a forward node may have several: the first is its gradient rule. */
function twinOf(id) {
  const own = data.nodes[id].twin;
  if (own && shape(own)) return own;
  return view().order.find((one) => data.nodes[one].twin === id) ?? null;
}

/** Light up all places where the same node stands: itself, and its chips. */
function showSame(place) {
  const id = place?.classList.contains("chipped") ? place.dataset.node : null;
  for (const node of svg().querySelectorAll(".chipped")) node.classList.toggle("same", node.dataset.node === id);
}

/* ---- ancestors and descendants ----------------------------------------------------------------------------------- */

/** Light up all nodes that are reached from the chosen one by going along the arrows from one end to the other. */
function showPaths(from, to) {
  if (!state.node) return;
  const next = new Map();
  for (const edge of view().edges) {
    if (!next.has(edge[from])) next.set(edge[from], []);
    next.get(edge[from]).push(edge);
  }
  const reached = new Set([state.node]);
  const edges = new Set();
  for (const id of reached)
    for (const edge of next.get(id) ?? []) {
      reached.add(edge[to]);
      edges.add(edge.id);
    }
  svg().classList.add("paths");
  for (const node of nodes()) node.classList.toggle("lit", reached.has(node.dataset.node));
  for (const edge of svg().querySelectorAll(".edge")) edge.classList.toggle("lit", edges.has(edge.dataset.edge));
  say(`${reached.size - 1} nodes`);
}

function clearPaths() {
  svg().classList.remove("paths");
  for (const one of svg().querySelectorAll(".lit")) one.classList.remove("lit");
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

function found() {
  const text = $("search").value.trim().toLowerCase();
  if (!text) return [];
  return view().order.filter((id) => words(data.nodes[id]).includes(text));
}

function words(fact) {
  const names = [...fact.results, ...framesOf(fact)].map((one) => one.name ?? one.title);
  return [fact.title, fact.op, fact.file ? `${fact.file}:${fact.line}` : "", fact.state, ...names].join("\n").toLowerCase();
}

function showFound() {
  const hits = new Set(found());
  for (const node of nodes()) node.classList.toggle("found", hits.has(node.dataset.node));
  say($("search").value.trim() ? `${hits.size} found` : "");
}

function nextFound() {
  const hits = found();
  if (hits.length) choose(hits[(hits.indexOf(state.node) + 1) % hits.length]);
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

function showColours() {
  const numbers = data.measures[state.colour]?.places;
  for (const node of nodes()) {
    const place = numbers?.[node.dataset.node];
    for (const part of node.querySelectorAll("polygon, ellipse, rect, path:not([fill=none])"))
      part.style.fill = numbers
        ? place === undefined
          ? "var(--paper)"
          : `color-mix(in srgb, var(--scale-high) ${Math.round(place * 100)}%, var(--scale-low))`
        : "";
  }
  $("scale").textContent = data.measures[state.colour]?.words ?? "";
}

function setColour(name) {
  state.colour = name;
  $("colours").value = name;
  showColours();
  writeLink();
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  $("themes").value = name;
}

/* ---- replay ------------------------------------------------------------------------------------------------------ */

function goToStep(step) {
  const last = view().order.length - 1;
  state.step = step === null ? null : Math.min(Math.max(step, 0), last);
  showReplay();
  writeLink();
}

function showReplay() {
  const { order } = view();
  const at = new Map(order.map((id, place) => [id, place]));
  svg().classList.toggle("replay", state.step !== null);
  for (const node of nodes()) {
    const place = at.get(node.dataset.node);
    node.classList.toggle("now", state.step !== null && place === state.step);
    node.classList.toggle("later", state.step !== null && place > state.step);
  }
  $("step").value = String(state.step ?? 0);
  showSentence();
  const id = order[state.step];
  if (id) {
    stage.bringIntoView(shape(id));
    state.node = id;
    showChoice();
  }
}

function showSentence() {
  const { order } = view();
  $("sentence").textContent =
    state.step === null
      ? "move the slider or press play"
      : `${state.step + 1} of ${order.length}: ${sentence(order[state.step])}`;
}

/** One plain sentence; in a loop it begins with the iteration, which the same operators do not tell. */
function sentence(id) {
  const fact = data.nodes[id];
  const round = framesOf(fact).findLast((frame) => frame.title.startsWith("iteration "));
  const said = fact.says || fact.title;
  return round ? `${round.title}: ${said}` : said;
}

function play() {
  if (state.playing) return pause();
  if (state.step === null || state.step >= view().order.length - 1) goToStep(0);
  state.playing = setInterval(() => {
    if (state.step >= view().order.length - 1) pause();
    else goToStep(state.step + 1);
  }, 700);
  $("play").textContent = "pause";
}

function pause() {
  clearInterval(state.playing);
  state.playing = null;
  $("play").textContent = "play";
}

/* ---- on the left: list of steps, source -------------------------------------------------------------------------- */

/** List the run; where it enters or leaves a layer, a body or an iteration, a line says so. */
function showSteps() {
  const list = $("steps");
  list.replaceChildren();
  let around = "";
  for (const id of view().order) {
    const fact = data.nodes[id];
    const frames = framesOf(fact).map((frame) => frame.title).join(" › ");
    const item = element("li", fact.says || fact.title, `side-${fact.side}`);
    if (frames !== around) item.dataset.within = frames || "outside";
    around = frames;
    item.dataset.node = id;
    list.append(item);
  }
}

/** Mark the lines of the source that made nodes of this pass. */
function markLines() {
  const made = new Map();
  for (const id of data.views[0].order) {
    const { file, line } = data.nodes[id];
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
  const fact = state.node && data.nodes[state.node];
  const line = fact?.file && lineAt(`${fact.file}:${fact.line}`);
  if (!line) return;
  line.classList.add("here");
  if (!$("source").hidden) line.scrollIntoView({ block: "center" });
}

/** Go through the nodes of a source line, one with each click. */
function chooseOnLine(ids) {
  const here = ids.filter((id) => shape(id));
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

/* ---- deep links: #n=f7&t=12&p=2&v=all&c=grad --------------------------------------------------------------------- */

function writeLink() {
  const parts = [];
  if (state.node) parts.push(`n=${state.node}`);
  if (state.step !== null) parts.push(`t=${state.step}`);
  if (data !== book.passes[0]) parts.push(`p=${data.number}`);
  if (state.view !== data.views[0].key) parts.push(`v=${state.view}`);
  if (state.colour !== "role") parts.push(`c=${state.colour}`);
  const target = parts.length ? `#${parts.join("&")}` : location.pathname.split("/").pop();
  try {
    history.replaceState(null, "", target);
  } catch { /* a page without an address, in a frame of a notebook */ }
}

function readLink(hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  if (wanted.get("p")) showPass(Number(wanted.get("p")));
  if (wanted.get("v")) showView(wanted.get("v"));
  if (Object.hasOwn(data.measures, wanted.get("c"))) setColour(wanted.get("c"));
  if (wanted.get("t")) goToStep(Number(wanted.get("t")) || 0);
  if (Object.hasOwn(data.nodes, wanted.get("n"))) choose(wanted.get("n"));
}

/* ---- controls ---------------------------------------------------------------------------------------------------- */

function say(text) {
  $("said").textContent = text;
}

const keys = {
  "/": () => $("search").focus(),
  Escape: () => { pause(); $("search").value = ""; showFound(); goToStep(null); choose(null); },
  ArrowRight: () => goToStep((state.step ?? -1) + 1),
  ArrowLeft: () => goToStep((state.step ?? 1) - 1),
  " ": () => play(),
  "+": () => stage.zoom(1 / 1.3),
  "-": () => stage.zoom(1.3),
  0: () => stage.fit(),
  t: () => state.node && twinOf(state.node) && choose(twinOf(state.node)),
  a: () => showPaths("head", "tail"),
  d: () => showPaths("tail", "head"),
  o: () => {
    const [frame] = state.node ? frameToToggle(data.nodes[state.node]) : [];
    if (frame) toggle(frame);
  },
  s: () => showTab($("source").hidden ? "source" : "steps"),
  l: () => unfoldLeft(isFolded()),
  "?": () => $("keys").showModal(),
};

function listen() {
  const on = (id, kind, action) => $(id).addEventListener(kind, action);
  on("passes", "change", (event) => showPass(Number(event.target.value)));
  on("views", "change", (event) => showView(event.target.value));
  on("colours", "change", (event) => setColour(event.target.value));
  on("themes", "change", (event) => setTheme(event.target.value));
  on("search", "input", showFound);
  on("search", "keydown", (event) => { if (event.key === "Enter") nextFound(); });
  on("in", "click", keys["+"]);
  on("out", "click", keys["-"]);
  on("fit", "click", keys[0]);
  on("play", "click", play);
  on("back", "click", keys.ArrowLeft);
  on("next", "click", keys.ArrowRight);
  on("step", "input", (event) => goToStep(Number(event.target.value)));
  on("tab-steps", "click", () => showTab("steps"));
  on("tab-source", "click", () => showTab("source"));
  on("fold", "click", keys.l);
  on("help", "click", keys["?"]);
  on("close", "click", () => $("keys").close());
  on("left", "click", (event) => {
    const item = event.target.closest("[data-node]");
    if (item) choose(item.dataset.node);
    const line = event.target.closest(".line[data-nodes]");
    if (line) chooseOnLine(line.dataset.nodes.split(" "));
  });
  on("panel", "click", (event) => {
    const link = event.target.closest("a[data-node]");
    if (!link) return;
    event.preventDefault();
    choose(link.dataset.node);
  });
  for (const kind of ["pointerover", "focusin"])
    on("stage", kind, (event) => showSame(event.target.closest?.(".node")));
  on("stage", "dblclick", (event) => {
    const node = event.target.closest(".node.toggles");
    if (node && event.timeStamp - state.toggled > 500) toggle(node.dataset.node, event);
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => readLink(location.hash));
}

function onKey(event) {
  const typing = ["INPUT", "SELECT"].includes(event.target.tagName) && event.target.id !== "step";
  if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
  const node = event.target.closest?.(".node");
  if (node && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(node.dataset.node);
  } else if (Object.hasOwn(keys, event.key) && event.target.tagName !== "BUTTON") {
    event.preventDefault();
    keys[event.key]();
  }
}

const asked = location.hash; // what follows writes a new one
document.documentElement.classList.add("live");
listen();
showTab("steps");
unfoldLeft(window.innerWidth > 900);
listPasses();
showPass(data.number);
setColour(book.colour);
if (book.folded && !new URLSearchParams(asked.slice(1)).has("v")) showView("folded"); // a link names its own view
readLink(asked);
