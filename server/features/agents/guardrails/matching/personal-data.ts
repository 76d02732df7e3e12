import type { PiiKind } from '../../../../../contract/agents/guardrail-options.ts'
import {
  isCard,
  isCpf,
  isDni,
  isIban,
  isInsee,
  isNationalInsurance,
  isPhone,
  isSocialSecurity,
} from './checksums.ts'
import { earliestOf, type FindMatch } from './match.ts'

interface Shape {
  /** Every repetition is bounded, so that a search takes linear time. */
  pattern: RegExp
  isValid?: (text: string) => boolean
  /** The candidate may include words that follow: it ends with the last word that makes it valid. */
  dropsWords?: true
}

/** A pattern finds candidates; checksums and lengths decide. */
const SHAPES: Record<PiiKind, Shape[]> = {
  email: [
    {
      pattern:
        /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}-])/gu,
    },
  ],
  phone: [
    {
      pattern: /(?<![\p{L}\p{N}+])(?:\+|00|\(?0|\(?[2-9])\d?(?:[ ().\-/]{0,2}\d){6,14}(?!\p{N})/gu,
      isValid: isPhone,
    },
  ],
  card: [{ pattern: /(?<!\p{N})\d(?:[ -]?\d){12,18}(?!\p{N})/gu, isValid: isCard }],
  iban: [
    {
      pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![\p{L}\p{N}])/giu,
      isValid: isIban,
      dropsWords: true,
    },
  ],
  national_id: [
    { pattern: /(?<![\p{N}-])\d{3}-\d{2}-\d{4}(?![\p{N}-])/gu, isValid: isSocialSecurity },
    { pattern: /(?<![\p{L}\p{N}])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\p{L}\p{N}])/gu, isValid: isCpf },
    { pattern: /(?<![\p{L}\p{N}])[XYZ\d]\d{7}[ -]?[A-Z](?![\p{L}\p{N}])/giu, isValid: isDni },
    {
      pattern: /(?<![\p{L}\p{N}])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d{2}){3} ?[A-D](?![\p{L}\p{N}])/giu,
      isValid: isNationalInsurance,
    },
    {
      pattern: /(?<!\p{N})[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2}(?!\p{N})/gu,
      isValid: isInsee,
    },
  ],
}

export const findPersonalData = (kinds: readonly PiiKind[]): FindMatch =>
  earliestOf(kinds.flatMap((kind) => SHAPES[kind].map((shape) => findShape(kind, shape))))

const findShape =
  (label: PiiKind, { pattern, isValid, dropsWords }: Shape): FindMatch =>
  (text, from) => {
    const regex = new RegExp(pattern)
    regex.lastIndex = from
    for (let found = regex.exec(text); found; found = regex.exec(text)) {
      const valid = dropsWords ? prefixesOf(found[0]).find(isValid!) : found[0]
      if (valid && (!isValid || isValid(valid)))
        return { start: found.index, end: found.index + valid.length, label }
      // A longer run of digits may contain a valid one that starts later.
      regex.lastIndex = found.index + 1
    }
    return null
  }

/** The text, then without its last word, and so on. */
const prefixesOf = (text: string) => {
  const words = text.split(' ')
  return words.map((_, dropped) => words.slice(0, words.length - dropped).join(' '))
}
