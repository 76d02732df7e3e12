import type { Meaning } from '../../components/status.tsx'

export const PASSWORD_LENGTH_MIN = 12
const LENGTH_STRONG = 16
const DISTINCT_MIN = 6

/** How a password would fare, in a word. Length is what counts; repetition is what spoils it. */
export function passwordStrength(password: string): { meaning: Meaning; word: string } {
  const characters = Array.from(password)
  const distinct = new Set(characters).size
  if (characters.length < PASSWORD_LENGTH_MIN) {
    return { meaning: 'neutral', word: `${characters.length} of at least ${PASSWORD_LENGTH_MIN} characters` }
  }
  if (distinct < DISTINCT_MIN) return { meaning: 'warning', word: 'Long enough, but easy to guess' }
  if (characters.length < LENGTH_STRONG) return { meaning: 'good', word: 'Good' }
  return { meaning: 'good', word: 'Strong' }
}
