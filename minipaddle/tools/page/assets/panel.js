/* The panel beside the picture: all that is known of the node that is chosen. */

const GRADS = ["grad", "pylayer_grad", "layer_grad"];

function showPanel() {
  const panel = $("panel");
  panel.replaceChildren();
  const fact = state.node && data.facts[state.node];
  if (panel.hidden === Boolean(fact)) stage.known = null;
  panel.hidden = !fact;
  if (!fact) return;
  panel.scrollTop = 0;
  const head = element("h2", fact.count > 1 ? `${fact.title} ×${fact.count}` : fact.title);
  panel.append(head, element("p", fact.says || fact.state, "says"), buttons(fact));
  section(panel, "§Within§", framesOf(fact).map((frame) => frame.title), "");
  const [formulas, shown, notes] = ["formulas", "values", "notes"].map((id) => Object.assign(element("div"), { id }));
  panel.append(formulas, shown, notes);
  section(panel, "§Parameters§", sight.parametersIn(fact.id), "code");
  showValues(shown, fact);
  showLines(fact);
  sourceLine(panel, fact);
  if (fact.doc) {
    const link = element("a", "§Paddle's documentation§");
    link.href = fact.doc;
    link.rel = "noopener noreferrer";
    panel.append(link);
  }
  panel.dispatchEvent(new CustomEvent("filled", { detail: fact }));
}

/** Show the formulas of a node, why it gave what it gave, and what goes along its arrows. */
function showLines(fact) {
  const [formulas, notes] = [$("formulas"), $("notes")];
  formulas.replaceChildren();
  notes.replaceChildren();
  section(formulas, fact.side === "forward" ? "§Formula§" : "§Rule§", fact.rule, "code");
  section(formulas, "§With numbers put in§", fact.numbers, "code");
  otherFormula(formulas, fact);
  showSum(formulas, fact);
  section(notes, "§Why§", fact.notes, "");
  notes.append(neighbours("§comes from§", fact.id, "tail"), neighbours("§goes to§", fact.id, "head"));
}

/** Show what a node made. */
function showValues(shown, fact) {
  shown.replaceChildren(...fact.results.map((result) => valueTable(result, book.budget, pathsOf(result, fact) && numberButtons(result))));
}

/** Return the frames around a node, the outermost first: a loop's iteration, the call of a layer. */
function framesOf(fact) {
  const frames = [];
  const body = data.bodies.get(fact.id.split("~")[0]);
  const isOwn = sight.closed.has(body) && body === fact.cluster; // it stands for this frame
  for (let id = isOwn ? data.frames[body].parent : fact.cluster; id; id = data.frames[id].parent) frames.unshift({ title: sight.titleOf(id), iteration: data.frames[id].iteration });
  return frames;
}

function buttons(fact) {
  const row = element("p", undefined, "buttons");
  const add = (id, text, action) => {
    const button = element("button", text);
    button.id = id;
    button.addEventListener("click", action);
    row.append(button);
  };
  const twin = twinOf(fact.id);
  if (twin) add("twin", "§go to its twin (t)§", () => choose(twin));
  add("ancestors", "§where it comes from (a)§", () => showPaths("head", "tail"));
  add("descendants", "§what it leads to (d)§", () => showPaths("tail", "head"));
  const opens = whatOpens(sight, fact.id);
  const { frame } = whatCloses(sight, fact.id);
  if (opens) add("toggle", "§open (o)§", () => toggle(opens));
  else if (frame) add("toggle", `§close ${sight.titleOf(frame)} (o)§`, () => toggle(frame));
  const repeat = repeatAround(fact.id);
  if (repeat && repeat !== opens)
    add("repeat", `${state.closed.has(repeat) ? "§show all of§" : "§draw once§"}: ${data.repeats[repeat].title} (r)`, () => toggle(repeat));
  return row;
}

/** A forward operator's gradient formula stands with its twin, and the other way round: both are shown at both. */
function otherFormula(panel, fact) {
  const ids = fact.side === "forward" ? sight.order.filter((id) => sight.twinOf(id) === fact.id && sight.nodes.get(id).side !== "forward") : [sight.twinOf(fact.id)];
  const wanted = fact.side === "forward" ? GRADS : ["op", "pylayer", "layer", "rule"];
  const other = ids.map((id) => data.facts[id]).find((one) => one && wanted.includes(one.kind));
  if (other) section(panel, fact.side === "forward" ? "§Gradient formula§" : "§Formula forward§", other.rule, "code");
}

function neighbours(title, id, end) {
  const other = end === "tail" ? "head" : "tail";
  const list = element("p", `${title}: `, "neighbours");
  const edges = sight.edges.filter((one) => one[other] === id);
  for (const edge of edges) {
    const link = element("a", data.facts[edge[end]].title);
    link.href = `#n=${edge[end]}`;
    link.dataset.node = edge[end];
    const words = edge.label ? `${edge.kind}: ${edge.label}` : edge.kind;
    list.append(link, document.createTextNode(` (${words}) `));
  }
  if (!edges.length) list.append("§nothing in this picture§");
  return list;
}

function sourceLine(panel, fact) {
  if (!fact.file) return;
  const at = `${fact.file}:${fact.line}`;
  const link = element("a", at, "place");
  link.href = "#";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    unfoldLeft(true);
    showTab("source");
  });
  panel.append(element("h3", "§Source§"), link);
  const line = lineAt(at);
  if (line) panel.append(element("p", line.textContent.trim(), "code"));
}
