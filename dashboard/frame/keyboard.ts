import { useEffect, useEffectEvent } from 'react'
import { undoLast } from '../components/toast.tsx'
import { closeInnermostLayer, isTyping } from '../state/layers.ts'
import { TIMEOUTS } from '../state/timers.ts'
import { type Command, paletteCommand } from './command-list.ts'
import { moveInList } from './list-keys.ts'
import { runPageKey } from './page-keys.ts'

/** No shortcut fires while typing or while a dialog is open. */
export function useKeyboard(commands: Command[]) {
  const press = useEffectEvent((event: KeyboardEvent, prefix: string) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return ''
    const keys = keysOf(event)
    if (
      isCombination(event) &&
      !isTyping(event.target) &&
      (runPageKey(keys, event) || (keys === 'mod+z' && undoLast()))
    )
      return ''
    if (isCombination(event)) return runKeys([paletteCommand], keys, event)
    if (isTyping(event.target)) {
      if (event.key === 'Escape' && !closeInnermostLayer(event)) (event.target as HTMLElement).blur()
      return ''
    }
    if (event.altKey || event.key === 'Shift') return prefix
    if (prefix) return runKeys(commands, `${prefix} ${event.key}`, event)
    if (event.key === 'g') return 'g'
    if (runPageKey(keys, event)) return ''
    if (runListKey(event)) return ''
    return runKeys(commands, event.key, event)
  })

  useEffect(() => {
    let prefix = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    const listen = (event: KeyboardEvent) => {
      clearTimeout(timer)
      prefix = press(event, prefix)
      if (prefix) timer = setTimeout(() => (prefix = ''), TIMEOUTS.keySequenceMs)
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
    command.run?.()
  }
  return ''
}

function runListKey(event: KeyboardEvent): boolean {
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
      return closeInnermostLayer(event)
    default:
      return false
  }
}

/**
 * Notation for page keys and commands: `x`, `X`, `mod+shift+z`, `shift+ArrowUp`, and `shift+1` on every keyboard
 * layout.
 */
function keysOf(event: KeyboardEvent): string {
  const { key, code, shiftKey } = event
  if (isCombination(event))
    return `mod+${shiftKey ? 'shift+' : ''}${key.length === 1 ? key.toLowerCase() : key}`
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (shiftKey && (digit || key.length > 1)) return `shift+${digit ?? key}`
  return key
}

const isCombination = (event: KeyboardEvent) => (event.metaKey || event.ctrlKey) && !event.altKey
