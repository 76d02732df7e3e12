import { useEffect, useEffectEvent } from 'react'
import { type Command, paletteCommand } from './commands.ts'
import { moveInList } from './list-keys.ts'
import { runPageKey } from './page-keys.ts'

const SEQUENCE_MS = 1200

/** Listens for every shortcut of the product. Nothing fires while the person types or while a dialog is open. */
export function useKeyboard(commands: Command[]) {
  const press = useEffectEvent((event: KeyboardEvent, prefix: string) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return ''
    if (combines(event) && !isTyping(event.target) && runPageKey(`mod+${event.key.toLowerCase()}`, event))
      return ''
    if (combines(event)) return runKeys([paletteCommand], `mod+${event.key.toLowerCase()}`, event)
    if (isTyping(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur()
      return ''
    }
    if (event.altKey || event.key === 'Shift') return prefix
    if (prefix) return runKeys(commands, `${prefix} ${event.key}`, event)
    if (event.key === 'g') return 'g'
    if (runPageKey(event.key, event)) return ''
    if (standing(event)) return ''
    return runKeys(commands, event.key, event)
  })

  useEffect(() => {
    let prefix = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    const listen = (event: KeyboardEvent) => {
      clearTimeout(timer)
      prefix = press(event, prefix)
      if (prefix) timer = setTimeout(() => (prefix = ''), SEQUENCE_MS)
    }
    document.addEventListener('keydown', listen)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', listen)
    }
  }, [])
}

function runKeys(commands: Command[], keys: string, event: KeyboardEvent): '' {
  const command = commands.find((candidate) => candidate.keys === keys)
  if (command) {
    event.preventDefault()
    command.run()
  }
  return ''
}

/** Keys that act on what is on the screen rather than run a command. */
function standing(event: KeyboardEvent): boolean {
  switch (event.key) {
    case 'j':
      return moveInList(1)
    case 'k':
      return moveInList(-1)
    case '/':
      event.preventDefault()
      document.querySelector<HTMLInputElement>('[data-filter]')?.focus()
      return true
    case 'Escape':
      document.querySelector<HTMLElement>('[data-close-panel]')?.click()
      return true
    default:
      return false
  }
}

const combines = (event: KeyboardEvent) => (event.metaKey || event.ctrlKey) && !event.altKey

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(checkbox|radio)$/.test(target.getAttribute('type') ?? '')
