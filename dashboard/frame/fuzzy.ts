/**
 * How well a text answers what was typed, or null if its letters do not come in that order. Letters that start a
 * word or follow one another count more, so `fq` finds "Feedback queue" before anything that merely contains both.
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
