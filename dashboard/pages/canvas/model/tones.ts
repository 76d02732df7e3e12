import { t } from '../../../../contract/text.ts'
import type { Tone } from '../../../live/presence.ts'

/** Each maps to one of the hues of faces: a block's color says nothing about its state. */
export const COLORS = ['teal', 'green', 'amber', 'red', 'blue'] as const
export type Color = (typeof COLORS)[number]

const TONES: Record<Color, Tone> = {
  teal: 'hue-1',
  green: 'hue-6',
  amber: 'hue-4',
  red: 'hue-7',
  blue: 'hue-3',
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

/** A block's flat background. */
export const tintOf = (tone: Tone) => `color-mix(in srgb, var(--color-${tone}-soft) 70%, var(--color-card))`

export const TEXT: Record<Tone, string> = {
  'hue-1': 'text-hue-1',
  'hue-2': 'text-hue-2',
  'hue-3': 'text-hue-3',
  'hue-4': 'text-hue-4',
  'hue-5': 'text-hue-5',
  'hue-6': 'text-hue-6',
  'hue-7': 'text-hue-7',
  'hue-8': 'text-hue-8',
}

export const SWATCH: Record<Tone, string> = {
  'hue-1': 'bg-hue-1-soft border-hue-1',
  'hue-2': 'bg-hue-2-soft border-hue-2',
  'hue-3': 'bg-hue-3-soft border-hue-3',
  'hue-4': 'bg-hue-4-soft border-hue-4',
  'hue-5': 'bg-hue-5-soft border-hue-5',
  'hue-6': 'bg-hue-6-soft border-hue-6',
  'hue-7': 'bg-hue-7-soft border-hue-7',
  'hue-8': 'bg-hue-8-soft border-hue-8',
}

export const OUTLINE: Record<Tone, string> = {
  'hue-1': 'outline-hue-1',
  'hue-2': 'outline-hue-2',
  'hue-3': 'outline-hue-3',
  'hue-4': 'outline-hue-4',
  'hue-5': 'outline-hue-5',
  'hue-6': 'outline-hue-6',
  'hue-7': 'outline-hue-7',
  'hue-8': 'outline-hue-8',
}
