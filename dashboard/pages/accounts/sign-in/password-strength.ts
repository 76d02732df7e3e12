import type { Meaning } from '../../../components/status.tsx'

export const PASSWORD_LENGTH_MIN = 12
const LENGTH_STRONG = 16
const DISTINCT_MIN = 6

/** Rates a password by its length and the number of distinct characters. */
export function passwordStrength(password: string): { meaning: Meaning; label: string } {
  const characters = Array.from(password)
  const distinct = new Set(characters).size
  if (characters.length < PASSWORD_LENGTH_MIN) {
    return { meaning: 'neutral', label: `${characters.length} of at least ${PASSWORD_LENGTH_MIN} characters` }
  }
  if (distinct < DISTINCT_MIN) return { meaning: 'warning', label: 'Easy to guess' }
  if (characters.length < LENGTH_STRONG) return { meaning: 'good', label: 'Good' }
  return { meaning: 'good', label: 'Strong' }
}
