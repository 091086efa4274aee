/* How a search ranks what it finds: by where the words of the query stand. What is called like the query comes first, as a
 * name or a heading; then pages with a title, a heading or an address that has most of its words, rare words most; then
 * those that have them in their text. The heading that fits best is where the link leads. */
var Scorer = (() => {
  const DECISIONS = "docs/decisions/"; // why it is built like this: for few readers the answer

  const askedWords = () =>
    splitQuery((new URLSearchParams(location.search).get("q") ?? "").toLowerCase())
      .filter((word) => !stopwords.has(word))
      .map((word) => new Stemmer().stemWord(word));

  const plain = (heading) => ` ${heading.toLowerCase()}`.replace(/[^\p{L}\p{N}]/gu, " ");
  const stands = (word, heading) =>
    plain(heading).includes(/\p{Script=Han}/u.test(word) ? word : plain(word));

  /** Return every heading as [heading, number of its page, anchor], the address of each page among them. */
  const headings = () => [
    ...Object.entries(Search._index.alltitles).flatMap(([heading, places]) => places.map((place) => [heading, ...place])),
    ...Search._index.docnames.map((page, number) => [page, number, null]),
  ];

  /** Return how much a heading that has a word is worth: less the more of them there are. */
  const worth = (word, all) => 1 / Math.log2(2 + all.filter(([heading]) => stands(word, heading)).length);

  /** Return from 0 to 1 how many of the words a heading has, by their worth, and how little else. */
  function fit(worths, heading) {
    const found = worths.filter(([word]) => stands(word, heading));
    const sum = (pairs) => pairs.reduce((total, [, value]) => total + value, 0);
    const length = heading.match(/\p{Script=Han}{1,2}|[\p{L}\p{N}]+/gu)?.length ?? 1;
    return (sum(found) / sum(worths)) * (0.7 + (0.3 * found.length) / length);
  }

  let asked; // what is computed once for a query

  return {
    ...{ objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0 },
    ...{ title: 15, partialTitle: 7, term: 5, partialTerm: 2 },
    score: (result) => {
      const [page, title, , , score, , kind] = result;
      const late = page.startsWith(DECISIONS) ? 4 : 0;
      if (kind === "title") return 50 + score - late;
      if (kind !== "text") return score + (score >= 16 ? 60 : 0);
      const all = headings();
      asked ??= askedWords().map((word) => [word, worth(word, all)]);
      if (asked.length === 0) return score;
      const here = Search._index.docnames.indexOf(page);
      const [heading, , anchor] = all
        .filter(([, number]) => number === here)
        .reduce((best, one) => (fit(asked, one[0]) > fit(asked, best[0]) ? one : best), [title, here, null]);
      if (anchor !== null && heading !== title) {
        result[1] = `${title} > ${heading}`;
        result[2] = `#${anchor}`;
      }
      return Math.min(score, 5) + 40 * fit(asked, heading) - late;
    },
  };
})();
