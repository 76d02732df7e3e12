import { collectTexts, KINDS, type Kind, ofRate, worstTexts } from './measure.ts'

/** `npm run english` prints how often "of" stands in each kind of text, and the worst texts of the kinds it names. */
const texts = collectTexts()
const chosen = process.argv.slice(2)
console.log('kind        texts    words   "of"/1,000   limit')
for (const [kind, { limit }] of Object.entries(KINDS)) {
  const some = texts.filter((text) => text.kind === kind)
  const words = some.reduce((sum, text) => sum + text.words.length, 0)
  const figures = [
    String(some.length).padStart(6),
    String(words).padStart(8),
    ofRate(some).toFixed(1).padStart(12),
  ]
  console.log(kind.padEnd(10), ...figures, String(limit).padStart(7))
}
for (const kind of chosen as Kind[]) {
  console.log(`\n${kind}:`)
  for (const { path, text } of worstTexts(texts.filter((text) => text.kind === kind)))
    console.log(`  ${path}: ${text.slice(0, 200)}`)
}
