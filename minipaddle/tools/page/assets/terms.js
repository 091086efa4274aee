/* Of which terms one element of a gradient is the sum: its numbers as buttons, and below them the terms of the one chosen.
 *
 * Python says which terms there are and what they come from (minipaddle/tools/page/facts.py); here one element of each is read.
 */

/** Return the numbers of a value as they are now, with all the digits that the page has. */
const numbersOf = (id) => data.numbersNow?.(id) ?? flatNumbers(book.values[id]);

/** Return a grid of the numbers of a gradient; arrow keys go from one to the next. */
function elementGrid(fact) {
  const [{ id, name, shape }] = fact.results;
  const grid = element("div", undefined, "elements");
  const columns = shape.at(-1) ?? 1;
  Object.entries({ role: "grid", "aria-label": `${name}: ${book.words.choose}`, title: book.words.choose })
    .forEach((pair) => grid.setAttribute(...pair));
  const cells = [...numbersOf(id)].map((number, at) => {
    const cell = element("button", brief(number));
    const isChosen = state.spot?.id === id && state.spot.at === at;
    Object.entries({ role: "gridcell", "aria-label": `${name}${placeText(at, shape)} = ${brief(number)}`,
      "aria-selected": isChosen }).forEach((pair) => cell.setAttribute(...pair));
    cell.tabIndex = isChosen || (!at && state.spot?.id !== id) ? 0 : -1;
    cell.dataset.at = at;
    return cell;
  });
  for (let at = 0; at < cells.length; at += columns) {
    const row = element("div");
    row.setAttribute("role", "row");
    row.append(...cells.slice(at, at + columns));
    grid.append(row);
  }
  grid.addEventListener("click", (event) => {
    const cell = event.target.closest("button");
    if (cell) chooseElement(fact, id, Number(cell.dataset.at));
  });
  grid.addEventListener("keydown", (event) => {
    const at = cells.indexOf(event.target);
    const way = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -at, End: cells.length - 1 - at };
    if (!(event.key in way)) return;
    event.preventDefault();
    cells[at + way[event.key]]?.focus();
  });
  return grid;
}

function chooseElement(fact, id, at) {
  state.spot = { id, at };
  showValues($("values"), fact);
  $("values").querySelector('[aria-selected="true"]').focus();
}

/** Return the terms of the chosen element: the last use first, of many the largest, as `why` has them. */
function termsOf(fact) {
  const told = element("div", undefined, "terms");
  const [{ id, name, shape }] = fact.results;
  if (state.spot?.id !== id) {
    told.append(element("p", book.words.choose, "pale"));
    return told;
  }
  const { at } = state.spot;
  const terms = fact.terms.map((term) => ({ ...term, number: numbersOf(term.value)[at] }));
  const said = terms.length === 1 ? book.words.one : book.words.several;
  const known = { element: `${name}${placeText(at, shape)}`, total: brief(numbersOf(id)[at]), count: terms.length };
  told.append(element("p", filledIn(said, known)));
  const size = (one) => Math.abs(terms[one].number);
  const largest = terms.map((_, one) => one).sort((one, other) => size(other) - size(one));
  const table = element("table");
  const row = (number, words) => {
    const line = table.insertRow();
    line.append(element("td", brief(number)), element("td"));
    line.lastChild.append(words);
  };
  for (const one of largest.slice(0, book.words.most).sort((a, b) => b - a)) row(terms[one].number, linkTo(terms[one]));
  const rest = largest.slice(book.words.most);
  if (rest.length)
    row(rest.reduce((sum, one) => sum + terms[one].number, 0), filledIn(book.words.rest, { count: rest.length }));
  told.append(table);
  return told;
}

/** What a term comes from, as a link to the operator that used the value, if that is in the picture. */
function linkTo({ said, use }) {
  if (!(use in data.facts)) return said;
  const link = element("a", said);
  link.href = `#n=${use}`;
  link.dataset.node = use;
  return link;
}

/** Return where an element stands: `[0, 1]`. */
function placeText(at, shape) {
  const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, one) => product * one, 1));
  return shape.length ? `[${steps.map((step, axis) => Math.floor(at / step) % shape[axis]).join(", ")}]` : "";
}
