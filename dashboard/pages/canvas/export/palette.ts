import { TONES, type Tone } from '../../../live/presence.ts'

/** Resolved theme tokens, because a file has no style sheet. */
export interface Palette {
  ground: string
  surface: string
  text: string
  muted: string
  edge: string
  line: string
  outline: string
  good: string
  warning: string
  tones: Record<Tone, { wash: string; text: string }>
}

const TOKENS = {
  ground: '--color-page',
  surface: '--color-card',
  text: '--color-neutral-12',
  muted: '--color-neutral-11',
  edge: '--color-neutral-7',
  line: '--color-neutral-8',
  outline: '--color-neutral-9',
  good: '--color-good-text',
  warning: '--color-warning-text',
}

export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span')
  element.append(probe)
  const read = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const plain = Object.fromEntries(Object.entries(TOKENS).map(([name, token]) => [name, read(token)]))
  const tones = Object.fromEntries(
    TONES.map((tone) => [
      tone,
      {
        wash: read(`--color-${tone}-soft`),
        text: read(`--color-${tone}`),
      },
    ]),
  )
  probe.remove()
  return { ...plain, tones } as Palette
}
