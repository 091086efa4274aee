/* The page's own script: pan, zoom, search, details, ancestors, colours, replay, source, keys, deep links.
 *
 * Everything that is shown is in the page already: the pictures as SVG (one for each view), the data as JSON.
 * One object, `state`, says what is chosen; `show...` functions bring the page in line with it. Texts are only ever
 * set as text, never as HTML: names in a script may be anything.
 */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const state = { view: data.views[0].key, node: null, step: null, colour: "role", playing: null };

const $ = (id) => document.getElementById(id);
const view = () => data.views.find((one) => one.key === state.view);
const svg = () => document.querySelector(`.view[data-view="${state.view}"] svg`);
const shape = (id) => {
  const group = document.getElementById(`${state.view}.${id}`);
  return group?.dataset.node ? group : null; // a frame may have the id of what it is closed to in another view
};
const nodes = () => svg().querySelectorAll(".node");

function element(tag, text, classes) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

/* ---- pan and zoom: the viewBox is the window on the drawing ------------------------------------------------------ */

const SMALLEST = 0.6; // pixels for a unit: letters are 10 units high
const whole = new Map(); // view -> its first viewBox
const windows = new Map(); // view -> its upper left corner, and how many units a pixel shows

function box() {
  if (!whole.has(state.view)) {
    const [x, y, width, height] = svg().getAttribute("viewBox").split(/[ ,]+/).map(Number);
    whole.set(state.view, { x, y, width, height });
    fit();
  }
  const { x, y, unit } = windows.get(state.view);
  const { clientWidth, clientHeight } = $("stage");
  return { x, y, unit, width: clientWidth * unit, height: clientHeight * unit };
}

function showWindow(next) {
  windows.set(state.view, next);
  showStage();
}

/** Bring the viewBox in line with the window, and with the room that the picture has now. */
function showStage() {
  const now = box();
  svg().setAttribute("viewBox", `${now.x} ${now.y} ${now.width} ${now.height}`);
  $("zoom").textContent = `${Math.round(100 / now.unit)} %`;
}

/** Show all of a drawing; one that would become too small to read starts at its top instead. */
function fit() {
  const all = whole.get(state.view);
  const { clientWidth, clientHeight } = $("stage");
  const needed = Math.max(all.width / clientWidth, all.height / clientHeight) * 1.02;
  const unit = Math.min(needed || 1, 1 / SMALLEST);
  showWindow({ x: all.x + (all.width - clientWidth * unit) / 2, y: all.y - 4, unit });
}

function zoom(factor, at) {
  const now = box();
  const centre = at ?? { x: now.x + now.width / 2, y: now.y + now.height / 2 };
  const unit = Math.min(Math.max(now.unit * factor, 0.05), 50);
  const by = unit / now.unit;
  showWindow({ x: centre.x - (centre.x - now.x) * by, y: centre.y - (centre.y - now.y) * by, unit });
}

function pointIn(event) {
  const now = box();
  const bounds = svg().getBoundingClientRect();
  return { x: now.x + (event.clientX - bounds.left) * now.unit, y: now.y + (event.clientY - bounds.top) * now.unit };
}

/** Move the window so that a node is in it, and large enough to read. */
function bringIntoView(id) {
  const group = shape(id);
  if (!group) return;
  showStage();
  const bounds = svg().getBoundingClientRect();
  const node = group.getBoundingClientRect();
  const middle = pointIn({ clientX: node.left + node.width / 2, clientY: node.top + node.height / 2 });
  const outside =
    node.left < bounds.left || node.right > bounds.right || node.top < bounds.top || node.bottom > bounds.bottom;
  const small = node.height < 14;
  if (!outside && !small) return;
  const large = Math.max(1, (1.2 * node.width) / bounds.width, (1.2 * node.height) / bounds.height);
  const unit = box().unit * (small ? node.height / 40 : large);
  showWindow({ x: middle.x - (bounds.width * unit) / 2, y: middle.y - (bounds.height * unit) / 2, unit });
}

function listenToPointer() {
  const stage = $("stage");
  let last = null;
  let moved = false;
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, pointIn(event));
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => {
    last = event;
    moved = false;
  });
  window.addEventListener("pointermove", (event) => {
    if (!last) return;
    const now = box();
    const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
    if (!moved && Math.hypot(dx, dy) < 3) return;
    moved = true;
    showWindow({ x: now.x - dx * now.unit, y: now.y - dy * now.unit, unit: now.unit });
    last = event;
  });
  window.addEventListener("pointerup", () => { last = null; });
  stage.addEventListener("click", (event) => {
    if (moved) return;
    const node = event.target.closest(".node");
    if (node) choose(node.dataset.node);
    else if (event.target.closest(".view")) choose(null);
  });
  new ResizeObserver(showStage).observe(stage);
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

function showView(key) {
  if (!data.views.some((one) => one.key === key)) return;
  state.view = key;
  for (const one of document.querySelectorAll(".view")) one.hidden = one.dataset.view !== key;
  $("views").value = key;
  showStage();
  showColours();
  showSteps();
  $("step").max = String(view().order.length - 1);
  if (state.node && !shape(state.node)) state.node = null;
  state.step = null;
  showReplay();
  showChoice();
}

/* ---- one node is chosen ------------------------------------------------------------------------------------------ */

function choose(id) {
  if (id && !shape(id)) {
    const elsewhere = data.views.find((one) => one.order.includes(id));
    if (!elsewhere) return;
    showView(elsewhere.key);
  }
  state.node = id;
  clearPaths();
  showChoice();
  if (id) bringIntoView(id);
}

function showChoice() {
  for (const node of nodes()) node.classList.toggle("chosen", node.dataset.node === state.node);
  for (const item of document.querySelectorAll("#steps li"))
    item.classList.toggle("chosen", item.dataset.node === state.node);
  showPanel();
  showLine();
  writeLink();
}

function showPanel() {
  const panel = $("panel");
  panel.replaceChildren();
  const fact = state.node && data.nodes[state.node];
  panel.hidden = !fact;
  if (!fact) return;
  const head = element("h2", fact.count > 1 ? `${fact.title} ×${fact.count}` : fact.title);
  panel.append(head, element("p", fact.says || fact.state, "says"));
  panel.append(buttons(fact));
  section(panel, fact.side === "forward" ? "Formula" : "Rule", fact.rule, "code");
  section(panel, "With numbers put in", fact.numbers, "code");
  for (const result of fact.results) panel.append(valueTable(result));
  section(panel, "Why", fact.notes, "");
  panel.append(neighbours("comes from", fact.id, "tail"), neighbours("goes to", fact.id, "head"));
  if (fact.file) panel.append(element("p", `${fact.file}:${fact.line}`, "place"));
  if (fact.doc) {
    const link = element("a", "Paddle's documentation");
    link.href = fact.doc;
    link.rel = "noopener noreferrer";
    panel.append(link);
  }
}

function buttons(fact) {
  const row = element("p", undefined, "buttons");
  const twin = twinOf(fact.id);
  const add = (id, text, action) => {
    const button = element("button", text);
    button.id = id;
    button.addEventListener("click", action);
    row.append(button);
  };
  if (twin) add("twin", "go to its twin (t)", () => choose(twin));
  add("ancestors", "where it comes from (a)", () => showPaths("head", "tail"));
  add("descendants", "what it leads to (d)", () => showPaths("tail", "head"));
  return row;
}

function section(panel, title, lines, classes) {
  if (!lines || !lines.length) return;
  panel.append(element("h3", title));
  for (const line of lines) panel.append(element("p", line, classes));
}

function valueTable(result) {
  const table = element("table", undefined, "value");
  const row = (name, text) => {
    const line = table.insertRow();
    line.append(element("th", name), element("td", text));
  };
  const stats = result.stats;
  row("name", result.name);
  if (result.dtype) row("shape", `[${result.shape.join(", ")}] ${result.dtype}, ${result.bytes} bytes`);
  if (result.data !== undefined) row("numbers", JSON.stringify(result.data));
  if (stats && stats.norm !== "nan") {
    row("min, mean, max", [stats.min, stats.mean, stats.max].map(short).join(", "));
    row("rms, norm", [stats.rms, stats.norm].map(short).join(", "));
  }
  if (stats && (stats.zeros || stats.nans || stats.infs))
    row("of these", `${stats.zeros} zero, ${stats.nans} NaN, ${stats.infs} Inf`);
  return table;
}

const short = (number) => (typeof number === "number" ? String(Number(number.toPrecision(4))) : number);

function neighbours(title, id, end) {
  const other = end === "tail" ? "head" : "tail";
  const list = element("p", `${title}: `, "neighbours");
  for (const edge of view().edges.filter((one) => one[other] === id)) {
    const link = element("a", data.nodes[edge[end]].title);
    link.href = `#n=${edge[end]}`;
    link.dataset.node = edge[end];
    list.append(link, document.createTextNode(edge.label ? ` (${edge.kind}: ${edge.label}) ` : ` (${edge.kind}) `));
  }
  return list;
}

/** The node on the same row on the other side; a forward node may have several: the first is its gradient rule. */
function twinOf(id) {
  const own = data.nodes[id].twin;
  if (own && shape(own)) return own;
  return view().order.find((one) => data.nodes[one].twin === id) ?? null;
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
  return [fact.title, fact.op, fact.file, fact.state, ...fact.results.map((one) => one.name)].join("\n").toLowerCase();
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
  const id = order[state.step];
  $("sentence").textContent =
    state.step === null ? "move the slider or press play" : `${state.step + 1} of ${order.length}: ${data.nodes[id].says}`;
  if (id) {
    bringIntoView(id);
    state.node = id;
    showChoice();
  }
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

/* ---- list of steps, source --------------------------------------------------------------------------------------- */

function showSteps() {
  const list = $("steps");
  list.replaceChildren();
  for (const id of view().order) {
    const item = element("li", data.nodes[id].says || data.nodes[id].title, `side-${data.nodes[id].side}`);
    item.dataset.node = id;
    list.append(item);
  }
}

function showLine() {
  for (const line of document.querySelectorAll(".line.here")) line.classList.remove("here");
  const fact = state.node && data.nodes[state.node];
  if (!fact || !fact.file) return;
  const line = document.querySelector(`.line[data-at="${CSS.escape(`${fact.file}:${fact.line}`)}"]`);
  if (!line) return;
  line.classList.add("here");
  if (!$("source").hidden) line.scrollIntoView({ block: "center" });
}

function showTab(name) {
  for (const tab of ["steps", "source"]) {
    $(tab).hidden = tab !== name;
    $(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
  }
  showLine();
}

/* ---- deep links: #n=f7&t=12&v=all&c=grad ------------------------------------------------------------------------- */

function writeLink() {
  const parts = [];
  if (state.node) parts.push(`n=${state.node}`);
  if (state.step !== null) parts.push(`t=${state.step}`);
  if (state.view !== data.views[0].key) parts.push(`v=${state.view}`);
  if (state.colour !== "role") parts.push(`c=${state.colour}`);
  const target = parts.length ? `#${parts.join("&")}` : location.pathname.split("/").pop();
  try {
    history.replaceState(null, "", target);
  } catch { /* a page without an address, in a frame of a notebook */ }
}

function readLink(hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  if (wanted.get("v")) showView(wanted.get("v"));
  if (wanted.get("c") in data.measures) setColour(wanted.get("c"));
  if (wanted.get("t")) goToStep(Number(wanted.get("t")) || 0);
  if (wanted.get("n") in data.nodes) choose(wanted.get("n"));
}

/* ---- controls ---------------------------------------------------------------------------------------------------- */

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

function say(text) {
  $("said").textContent = text;
}

const keys = {
  "/": () => $("search").focus(),
  Escape: () => { pause(); $("search").value = ""; showFound(); goToStep(null); choose(null); },
  ArrowRight: () => goToStep((state.step ?? -1) + 1),
  ArrowLeft: () => goToStep((state.step ?? 1) - 1),
  " ": () => play(),
  "+": () => zoom(1 / 1.3),
  "-": () => zoom(1.3),
  0: () => fit(),
  t: () => state.node && twinOf(state.node) && choose(twinOf(state.node)),
  a: () => showPaths("head", "tail"),
  d: () => showPaths("tail", "head"),
  s: () => showTab($("source").hidden ? "source" : "steps"),
  "?": () => $("keys").showModal(),
};

function listen() {
  listenToPointer();
  const on = (id, kind, action) => $(id).addEventListener(kind, action);
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
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => readLink(location.hash));
}

/** Go through the nodes of a source line, one with each click. */
function chooseOnLine(ids) {
  const here = ids.filter((id) => shape(id));
  if (here.length) choose(here[(here.indexOf(state.node) + 1) % here.length]);
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
showView(state.view);
setColour(data.colour);
readLink(asked);
