/**
 * The score of a fuzzy match, or null if the text does not contain the letters in order. Letters that start a word or
 * are consecutive score higher, so `fq` ranks "Feedback queue" above a text that merely contains both.
 */
export function fuzzyScore(typed: string, text: string): number | null {
  const letters = typed.toLowerCase().replaceAll(' ', '')
  const target = text.toLowerCase()
  let score = 0
  let position = -1
  for (const letter of letters) {
    const found = target.indexOf(letter, position + 1)
    if (found < 0) return null
    if (found === 0 || target[found - 1] === ' ') score += 3
    else if (found === position + 1) score += 2
    else score -= 1
    position = found
  }
  return score - target.length / 100
}
