import { t } from '../../../../contract/text.ts'
import type { Tone } from '../live/presence.ts'

/** Each maps to a semantic tone in both themes. */
export const COLORS = ['teal', 'green', 'amber', 'red', 'blue'] as const
export type Color = (typeof COLORS)[number]

const TONES: Record<Color, Tone> = {
  teal: 'accent',
  green: 'good',
  amber: 'warning',
  red: 'bad',
  blue: 'info',
}

const LABELS: Record<Color, string> = {
  teal: t`Teal`,
  green: t`Green`,
  amber: t`Amber`,
  red: t`Red`,
  blue: t`Blue`,
}

/** Custom colors are hexadecimal. */
export const colorLabel = (color: string): string => LABELS[color as Color] ?? color

/** Undefined without a color or with a custom one. */
export const colorTone = (color: string | null): Tone | undefined => TONES[color as Color]

export const WASH: Record<Tone, string> = {
  accent: 'bg-accent-wash border-accent-line',
  good: 'bg-good-wash border-good-line',
  warning: 'bg-warning-wash border-warning-line',
  bad: 'bg-bad-wash border-bad-line',
  info: 'bg-info-wash border-info-line',
}

export const TEXT: Record<Tone, string> = {
  accent: 'text-accent-text',
  good: 'text-good-text',
  warning: 'text-warning-text',
  bad: 'text-bad-text',
  info: 'text-info-text',
}

export const FILL: Record<Tone, string> = {
  accent: 'bg-accent-text',
  good: 'bg-good-text',
  warning: 'bg-warning-text',
  bad: 'bg-bad-text',
  info: 'bg-info-text',
}

export const SWATCH: Record<Tone, string> = {
  accent: 'bg-accent-line border-accent-text',
  good: 'bg-good-line border-good-text',
  warning: 'bg-warning-line border-warning-text',
  bad: 'bg-bad-line border-bad-text',
  info: 'bg-info-line border-info-text',
}

export const OUTLINE: Record<Tone, string> = {
  accent: 'outline-accent-text',
  good: 'outline-good-text',
  warning: 'outline-warning-text',
  bad: 'outline-bad-text',
  info: 'outline-info-text',
}
