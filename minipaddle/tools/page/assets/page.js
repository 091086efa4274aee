/* The page's own script: what is chosen, opened and closed.
 *
 * Read next: replay.js, with search, theme and lists, and controls.js, where the page begins. All that is shown is in the page already, as JSON. One object, `state`, says what is chosen; `show...` functions bring
 * the page in line with it. state.js says what is seen of a pass, layout.js where it stands, drawing.js draws it. Texts
 * are only ever set as text, never as HTML: names in a script may be anything.
 */

const book = JSON.parse($("data").textContent);
for (const pass of book.passes) prepare(pass, book);
const told = document.querySelectorAll("#steps li"); // the sentences of the first pass stand in the page
book.passes[0].order.forEach((id, place) => { book.passes[0].nodes[id].says = told[place].textContent; });
let data = book.passes[0]; // the backward pass that is looked at
const state = { view: "all", closed: new Set(), side: "both", node: null, element: null, step: null, playing: null, toggled: -Infinity, marked: [], shown: null };
const viewed = document.querySelector(".view");
const drawing = new Drawing(viewed, viewed.firstElementChild.getAttribute("aria-label"));
const stage = new Stage($("stage"), pick, (words) => { $("zoom").textContent = words; });
stage.onRoom = openAgain;
const minimap = new Minimap($("minimap"), stage);
const paper = new Paper($("sheets"), stage);
let sight = null; // what is seen of the pass

const view = () => sight;
const svg = () => drawing.svg;
const shape = (id) => drawing.group(id);
const nodes = () => svg().querySelectorAll(".node");

/* ---- passes and views -------------------------------------------------------------------------------------------- */

function showPass(number) {
  const wanted = book.passes.find((one) => one.number === number);
  if (!wanted) return;
  data = wanted;
  $("passes").value = String(number);
  $("subtitle").textContent = data.subtitle;
  Object.assign(state, { node: null, step: null });
  $("push").textContent = data.live?.why ?? "";
  $("push").hidden = !data.live?.why;
  markLines();
  openPass();
}

const firstView = () => (data.start.length ? "start" : "all");

/** Offer the passes that are here; one alone is not worth a choice. */
function listPasses() {
  const own = `${document.title}:`;
  for (const { number, where } of [...book.passes].sort((one, other) => one.number - other.number))
    $("passes").append(new Option(where ? `${number} · ${where.replace(own, "§line§ ")}` : String(number), number));
  $("passes").parentElement.hidden = book.passes.length < 2;
  const [missing, first, last] = [book.run.length - book.passes.length, book.run[0], book.run.at(-1)];
  if (missing === 1) $("left-out").textContent = `§1 other pass is not in this page: --pass N draws one of ${first} to ${last}§`;
  else if (missing > 1) $("left-out").textContent = `§${missing} other passes are not in this page: --pass N draws one of ${first} to ${last}§`;
}

/** What can be seen with one choice: a name, a title, what is closed, which side. */
function viewsOf(pass) {
  const frames = Object.keys(pass.frames);
  const inner = frames.filter((id) => pass.frames[id].parent);
  const repeats = Object.keys(pass.repeats);
  const sides = new Set(pass.order.map((id) => pass.facts[id].side));
  const views = [["all", "§all of it§", [], "both"]];
  if (pass.start.length) views.push(["start", "§as it opened§", pass.start, "both"]);
  if (frames.length) views.push(["outer", "§layers closed§", frames, "both"]);
  if (inner.length) views.push(["layers", "§first level open§", inner, "both"]);
  if (repeats.length) views.push(["folded", "§repeats folded§", repeats, "both"]);
  if (repeats.length && frames.length) views.push(["small", "§layers closed, repeats folded§", [...frames, ...repeats], "both"]);
  if (sides.has("forward") && sides.has("backward"))
    for (const [side, title] of [["forward", "§forward only§"], ["backward", "§backward only§"]]) views.push([side, title, [], side]);
  return views.map(([key, title, closed, side]) => ({ key, title, closed, side }));
}

function listViews() {
  $("views").replaceChildren(...viewsOf(data).map(({ key, title }) => new Option(title, key)));
  $("views").append(new Option("§as you set it§", "own"));
  $("views").lastChild.hidden = true;
}

/** Open what is seen at the loss. */
function openAtLoss() {
  stage.open(shape(lossOf(sight)), drawing.layout.solids());
}

/** Explain in the legend what is in sight. */
function sayLegend() {
  const kinds = { node: [...sight.nodes.values(), ...drawing.layout.chips.values()], edge: sight.edges };
  for (const [name, all] of Object.entries(kinds)) {
    const there = new Set(all.map(({ kind }) => kind));
    for (const sign of document.querySelectorAll(`.legend [data-${name}]`)) sign.hidden = !there.has(sign.dataset[name]);
  }
  for (const sign of document.querySelectorAll(".legend .by-share")) sign.hidden = !sight.edges.some(({ label }) => label?.includes("%"));
}

function showView(name) {
  const wanted = viewsOf(data).find((one) => one.key === name);
  if (!wanted) return;
  Object.assign(state, { view: name, closed: new Set(wanted.closed), side: wanted.side });
  showSight();
  openAtLoss();
}

/** The node that a reader looks at first: what raised, or the last one forward. */
const lossOf = ({ order, nodes: seen }) => order.find((id) => seen.get(id).kind === "error") ?? order.findLast((id) => seen.get(id).side === "forward") ?? order.at(-1);

/** Draw what is open, and list it. */
function showSight() {
  sight = new Sight(data, state.closed, state.side);
  $("views").lastChild.hidden = state.view !== "own";
  $("views").value = state.view;
  stage.known = null;
  stage.show(svg(), (stage.size, drawing.show(sight, book.layout))); // asked before there is a picture to be laid out
  indexShapes();
  minimap.show(drawing);
  paper.show(drawing);
  sayLegend();
  minimap.draw();
  showSteps();
  $("step").max = String(sight.order.length - 1);
  if (state.node && !shape(state.node)) state.node = standInOf(state.node);
  if (state.node && !shape(state.node)) state.node = null; // on the side that is not seen
  Object.assign(state, { step: null, shown: null, marked: [] });
  showReplay();
  showChoice();
  document.dispatchEvent(new Event("shown"));
}

/** Note where each node stands in the run, and its shapes: itself, its chips, its arrows. Groups that stay may be marked still. */
function indexShapes() {
  state.at = new Map(sight.order.map((id, place) => [id, place]));
  state.shapes = new Map();
  state.arrows = new Map();
  for (const arrow of drawing.layers.edges.children) {
    const { head } = arrow.dataset;
    if (!state.arrows.has(head)) state.arrows.set(head, []);
    state.arrows.get(head).push(arrow);
  }
  for (const node of nodes()) {
    const { node: id } = node.dataset;
    node.classList.remove("chosen");
    if (!state.shapes.has(id)) state.shapes.set(id, []);
    state.shapes.get(id).push(node);
  }
}

/* ---- opening and closing: any frame, any repeat ------------------------------------------------------------------- */

/** Open or close a frame or a repeat; what was clicked stays where it is on the screen. */
function toggle(id, event) {
  const closing = !state.closed.has(id);
  state.toggled = event?.timeStamp ?? -Infinity;
  const before = anchorOf(id)?.getBoundingClientRect();
  const own = closing && state.node && repeatAround(state.node) === id ? state.node : null; // what is looked at in a repeat
  say(closing ? "closed; click + to open it" : "open"); // the words may make the head higher
  Object.assign(state, { view: "own", closed: toggled(sight, id) });
  stage.hold();
  showSight();
  const after = anchorOf(id)?.getBoundingClientRect();
  if (before && after) stage.pan(after.left - before.left, after.top - before.top);
  const node = closing ? (own ?? standInOf(id)) : null;
  if (node) choose(node);
  else if (anchorOf(id)) stage.bringIntoView(anchorOf(id));
  stage.keepInside();
}

/** Where a frame or a repeat is seen: its frame, or what stands for it. */
function anchorOf(id) {
  return document.getElementById(`n.${id}`) ?? shape(standInOf(id));
}

/** What stands for a node, a closed frame or a repeat in what is seen now. */
function standInOf(id) {
  if (id in data.repeats) {
    const [first] = Object.values(data.repeats[id].groups);
    return sight.standIns.get(first[0].split("~")[0]) ?? null;
  }
  if (id in data.frames) return sight.nodes.has(sight.closedTo(id)) ? sight.closedTo(id) : null;
  return sight.standIns.get(id.split("~")[0]) ?? null;
}

/** Close what has to be closed for a node to be there. */
function reveal(id) {
  const [base, ...closing] = id.split("~");
  for (const one of [...closing, base])
    if ((one in data.frames || one in data.repeats) && !state.closed.has(one)) toggle(one);
}

/** The repeat that a node is drawn once for, or would be. */
function repeatAround(id) {
  const [, ...closing] = id.split("~");
  return closing.find((one) => one in data.repeats) ?? whatCloses(sight, id).repeat;
}

/* ---- one node is chosen ------------------------------------------------------------------------------------------ */

function pick(node, event) {
  if (event.timeStamp - state.toggled < 500) return; // the second half of a double click
  const sign = event.target.closest(".toggles");
  const onSign = sign && event.target === sign.querySelector("text");
  if (onSign && sign.dataset.frame) toggle(sign.dataset.frame, event);
  else if (onSign && whatOpens(sight, sign.dataset.node)) toggle(whatOpens(sight, sign.dataset.node), event);
  else choose(node ? node.dataset.node : null);
}

function choose(id) {
  if (id && !shape(id)) {
    if (data.closed[id]) reveal(id);
    id = shape(id) ? id : standInOf(id);
    if (!id || !shape(id)) return;
  }
  Object.assign(state, { node: id, element: null });
  clearPaths();
  showChoice();
  if (id) stage.bringIntoView(shape(id));
}

function showChoice() {
  for (const one of state.marked) one.classList.remove("chosen");
  const item = $("steps").children[state.at.get(state.node)];
  state.marked = [...(state.shapes.get(state.node) ?? []), ...(item ? [item] : [])];
  for (const one of state.marked) one.classList.add("chosen");
  if (item && !$("steps").hidden) item.scrollIntoView({ block: "nearest" });
  showPanel();
  showLine();
  writeLink();
}

/** The node on the same row on the other side; a forward node may have several: the first is its gradient rule. */
function twinOf(id) {
  const own = sight.twinOf(id);
  if (own && sight.nodes.get(id).side !== "forward") return own;
  const others = sight.order.filter((one) => sight.twinOf(one) === id);
  return others.find((one) => sight.nodes.get(one).side !== "forward") ?? own ?? others[0] ?? null;
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
  for (const edge of sight.edges) {
    if (!next.has(edge[from])) next.set(edge[from], []);
    next.get(edge[from]).push(edge);
  }
  const reached = new Set([state.node]);
  const edges = [];
  for (const id of reached)
    for (const edge of next.get(id) ?? []) {
      reached.add(edge[to]);
      edges.push(edge);
    }
  light(reached, edges);
  say(`§${reached.size - 1} nodes§`);
}

/** Light up nodes and arrows, and let all others fade. */
function light(reached, edges) {
  const lines = new Set(edges.map((edge) => drawing.line(edge)));
  svg().classList.add("paths");
  for (const node of nodes()) node.classList.toggle("lit", reached.has(node.dataset.node));
  for (const line of svg().querySelectorAll(".edge")) line.classList.toggle("lit", lines.has(line));
}

function clearPaths() {
  svg().classList.remove("paths");
  for (const one of svg().querySelectorAll(".lit")) one.classList.remove("lit");
}
