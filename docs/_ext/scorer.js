// The generated reference comes last in a search.
var Scorer = {
  score: ([page, , , , score]) => (/^(api$|generated\/|genindex)/.test(page) ? score - 200 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
