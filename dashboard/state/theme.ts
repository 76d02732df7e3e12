import { createStore, localStore } from './store.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** public/theme.js reads the same key before the first paint. */
const KEY = 'atrium.theme'

const current = createStore<Theme>(asTheme(localStore.read(KEY)))

export const useTheme = current.use

export function chooseTheme(theme: Theme) {
  localStore.write(KEY, theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  current.set(theme)
}

export function shownTheme(): 'light' | 'dark' {
  const theme = current.get()
  if (theme !== 'system') return theme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

function asTheme(value: string | null): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system'
}
