import { TONES, type Tone } from '../live/presence.ts'

/** The colors of a picture: the tokens of a theme, resolved, because a file has no style sheet. */
export interface Palette {
  ground: string
  surface: string
  text: string
  muted: string
  edge: string
  line: string
  outline: string
  tones: Record<Tone, { wash: string; line: string; text: string }>
}

const TOKENS = {
  ground: '--neutral-2',
  surface: '--neutral-1',
  text: '--neutral-12',
  muted: '--neutral-11',
  edge: '--neutral-7',
  line: '--neutral-8',
  outline: '--neutral-9',
}

/** The palette of the theme that an element shows. */
export function paletteOf(element: HTMLElement): Palette {
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
      { wash: read(`--${tone}-wash`), line: read(`--${tone}-line`), text: read(`--${tone}-text`) },
    ]),
  )
  probe.remove()
  return { ...plain, tones } as Palette
}
