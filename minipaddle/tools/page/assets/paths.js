/* A number of a gradient as a blackboard writes it: the sum over all paths from the loss, as
 * minipaddle/tools/explain/paths.py writes it; any number can be chosen, and a path lights up its arrows.
 *
 * The data (path_data.py) has for each gradient its parts, and for each part its links: [gradient that came in or null,
 * name, formula, slopes, places of slopes]. Called by panel.js.
 */

const MOST_PATHS = 12;
const ALMOST = 1 - 1e-5; // of the largest number: but for rounding it is as large

class Walk {
  constructor({ values, parts }) {
    Object.assign(this, { values, parts });
    this.columns = new Map(); // a link -> for each element of its part the slopes that lead to it
    this.known = new Map(); // gradient -> how many paths lead to each element, and their sums
  }

  sizeOf(id) {
    return this.values[id].shape.reduce((product, one) => product * one, 1);
  }

  /** The slopes of a link to one element: [element of what came in, factor]. */
  slopesTo(link, id, flat) {
    if (!this.columns.has(link)) {
      const [, , , slopes, places] = link;
      const columns = Array.from({ length: this.sizeOf(id) }, () => []);
      places.forEach((at, place) => columns[at % columns.length].push([Math.floor(at / columns.length), numberOf(slopes[place])]));
      this.columns.set(link, columns);
    }
    return this.columns.get(link)[flat];
  }

  placeOf(id, flat) {
    return this.sizeOf(id) > 1 ? placeText(flat, this.values[id].shape) : "";
  }

  /** The last factors of the paths to an element. */
  steps(id, flat) {
    const here = this.placeOf(id, flat);
    return this.values[id].ends.flatMap((part) => this.parts[part].links.flatMap((link) => {
      const [coming, name, formula] = link;
      return this.slopesTo(link, id, flat).map(([row, number]) => {
        const letters = coming !== null ? `∂${name}${this.placeOf(coming, row)}/∂${this.parts[part].of}${here}` : name + here;
        return { before: coming !== null ? [coming, row] : null, part, letters, formula, number };
      });
    }));
  }

  /** How many paths lead to each element of a gradient, and their sums. */
  sums(id) {
    if (!this.known.has(id)) {
      const found = Array.from({ length: this.sizeOf(id) }, (_, flat) => this.steps(id, flat).map(({ before, number }) => {
        const { count, total } = before ? this.sums(before[0])[before[1]] : { count: 1n, total: 1 };
        return { count, total: number * total };
      }));
      const added = (all) => all.reduce((sum, one) => ({ count: sum.count + one.count, total: sum.total + one.total }), { count: 0n, total: 0 });
      this.known.set(id, found.map(added));
    }
    return this.known.get(id);
  }

  /** The first paths to an element, each from the loss on. */
  paths(id, flat) {
    const found = [];
    const waiting = [[[id, flat], []]];
    while (waiting.length && found.length < MOST_PATHS) {
      const [element, path] = waiting.pop();
      if (!element) found.push(path);
      else if (this.sums(element[0])[element[1]].count)
        waiting.push(...this.steps(...element).map((step) => [step.before, [step, ...path]]).reverse());
    }
    return found;
  }
}

const numberOf = (given) => ({ inf: Infinity, "-inf": -Infinity })[given] ?? Number(given); // JSON has no NaN, so it is text
const product = (path) => path.reduce((all, { number }) => all * number, 1);

let walk = null; // made when it is needed first

/** The gradient whose paths are those of a result, the one that arrived if it is stored; null if it has none here. */
function pathsOf({ id }, fact) {
  walk ??= book.paths ? new Walk(book.paths) : null;
  const arrow = fact.kind === "store" && data.arrows.find((one) => one.head === fact.id && one.kind === "gradient");
  const found = arrow ? bears(arrow) : id;
  return walk?.values[found] ? found : null;
}

const bears = (arrow) => data.bears?.[arrow.id.slice(1)];

/** A path without the factor 1 of the loss: letters, formulas, numbers and their product. */
function pathLine(path) {
  const factors = path[0].number === 1 && path.length > 1 ? path.slice(1) : path;
  const numbers = factors.map(({ number }) => brief(number));
  let formulas = factors.map(({ formula }) => formula);
  if (!formulas.every(Boolean) || formulas.every((one, at) => one.replaceAll("−", "-") === numbers[at])) formulas = [];
  const times = (all) => all.map((one) => (all.length > 1 && (one.includes(" ") || "-−".includes(one[0])) ? `(${one})` : one)).join(" ⋅ ");
  const letters = factors.map((one) => one.letters).join(" ⋅ ");
  return [...new Set([letters, times(formulas), times(numbers), brief(product(factors))].filter(Boolean))].join(" = ");
}

/** Add the sum over all paths to the number of a gradient that is chosen; to its largest, if none is. */
function showSum(panel, fact) {
  const made = book.paths && fact.count === 1 && fact.kind !== "seed" ? fact.results.filter((one) => one.gradient) : [];
  if (!made.length) return;
  const result = made.find((one) => one.id === state.element?.id) ?? made.find((one) => pathsOf(one, fact)) ?? made[0];
  const id = pathsOf(result, fact);
  panel.append(element("h3", "§As a sum over paths§"));
  if (!id) return panel.append(element("p", `§not in this page, which has paths where gradients are small and few; this writes it for the last pass, or says why not:§ minipaddle step ${document.title} -c "why ${result.name} --paths"`));
  if (data.pushed && data.live.values[id] !== undefined)
    return panel.append(element("p", `§${walk.values[id].name}: told of the recorded numbers only, reset shows it again§`, "code"));
  const sums = walk.sums(id);
  const flat = state.element?.id === result.id ? state.element.flat : largestOf(sums.map(({ total }) => total));
  const { count, total } = sums[flat];
  const [name, known] = [walk.values[id].name + walk.placeOf(id, flat), walk.paths(id, flat)];
  const first = count === 1n ? `§${name} = ${brief(total)}, along 1 path§` : `§${name} = ${brief(total)}, the sum over ${count} paths§`;
  panel.append(element("p", first, "code"));
  for (const path of known) panel.append(pathRow(path, fact));
  const more = [];
  const others = total - known.reduce((sum, path) => sum + product(path), 0);
  if (count > known.length) more.push(`§${count - BigInt(known.length)} more paths are together ${brief(others)}§`);
  const recorded = walk.values[id].differs[flat];
  if (recorded) more.push(`§recorded is ${recorded}: a rule on the way does more than multiply§`);
  if (fact.added) more.push(`§${result.name} held something before this pass: this was added§`);
  for (const line of more) panel.append(element("div", line));
  if ((sums.length > 1 || made.length > 1) && result.data !== undefined) panel.append(element("div", "§choose another number below§", "pale"));
  markNumber(result.id, flat);
}

/** The first of the largest numbers but for rounding; the first NaN where there is one. */
function largestOf(numbers) {
  const bad = numbers.findIndex((one) => one !== one);
  const top = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return bad >= 0 ? bad : numbers.findIndex((one) => Math.abs(one) >= top * ALMOST);
}

/** A path, which lights up its arrows while it is pointed at, or has the focus. */
function pathRow(path, fact) {
  const row = Object.assign(element("div", pathLine(path), "code path"), { tabIndex: 0 });
  for (const kind of ["pointerenter", "focus"]) row.addEventListener(kind, () => lightPath(path, fact.id));
  for (const kind of ["pointerleave", "blur"]) row.addEventListener(kind, clearPaths);
  return row;
}

/** Light up the arrows of a path, through the sums and hooks between its factors, and the nodes at their ends. */
function lightPath(path, end) {
  const makers = path.map(({ part }) => data.order.find((id) => data.facts[id].results.some((one) => one.id === part)));
  const arrows = path.flatMap(({ part }, at) => way(makers[at], part, makers[at + 1] ?? end));
  const nodes = [...makers, end, ...arrows.flatMap(({ tail, head }) => [tail, head])].map((id) => sight.standIns.get(id) ?? id);
  light(new Set(nodes), sight.edges.filter(({ of }) => of.some((one) => arrows.includes(one))));
}

/** The arrows on which a part goes on from the node that made it to another, where it may be added to others. */
function way(from, part, to) {
  const out = (id) => data.arrows.filter((one) => one.kind === "gradient" && one.tail === id);
  const own = out(from);
  const waiting = (own.some((one) => bears(one) === part) ? own.filter((one) => bears(one) === part) : own).map((one) => [one]);
  for (const gone of waiting) {
    const { head } = gone.at(-1);
    if (head === to) return gone;
    if (["accumulate", "hook"].includes(data.facts[head].kind)) waiting.push(...out(head).map((one) => [...gone, one]));
  }
  return [];
}

/* ---- the numbers of a gradient, to be chosen ---------------------------------------------------------------------- */

/** The numbers of a gradient as text, each a button; arrow keys go from one to the next. */
function numberButtons(result) {
  const cell = element("div", undefined, "numbers");
  let flat = 0;
  const write = (data, indent) => {
    if (!Array.isArray(data)) return cell.append(numberButton(result, flat++, String(data)));
    cell.append("[");
    data.forEach((one, place) => {
      if (place) cell.append(Array.isArray(one) ? "\n " : ", ");
      write(one);
    });
    cell.append("]");
  };
  write(result.data);
  cell.addEventListener("keydown", (event) => {
    const along = result.shape.at(-1) ?? 1;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: along, ArrowUp: -along }[event.key];
    const next = by && cell.querySelector(`[data-flat="${Number(event.target.dataset.flat) + by}"]`);
    if (by) event.preventDefault();
    if (!next) return;
    next.click();
    $("panel").querySelector("button.number.chosen").focus();
  });
  return cell;
}

function numberButton(result, flat, text) {
  const button = element("button", text, "number");
  Object.assign(button, { tabIndex: flat ? -1 : 0, title: `§paths to ${result.name}${placeText(flat, result.shape)}§` });
  Object.assign(button.dataset, { of: result.id, flat });
  button.addEventListener("click", () => {
    state.element = { id: result.id, flat };
    showLines(data.facts[state.node]);
  });
  return button;
}

/** Mark the number whose paths are shown; Tab leads to it, and to the first number of every other matrix. */
function markNumber(id, flat) {
  for (const cell of $("panel").querySelectorAll(".numbers")) {
    const all = [...cell.querySelectorAll("button")];
    const it = all.find((one) => one.dataset.of === String(id) && one.dataset.flat === String(flat));
    for (const one of all) {
      one.classList.toggle("chosen", one === it);
      one.tabIndex = one === (it ?? all[0]) ? 0 : -1;
      one.setAttribute("aria-pressed", String(one === it));
    }
  }
}
