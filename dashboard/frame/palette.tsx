import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { Modal } from '../components/dialogs/dialog.tsx'
import { KEY_HINT, Keys } from '../components/kbd.tsx'
import type { Command } from './command-list.ts'
import { fuzzyScore } from './fuzzy.ts'
import { pageKeys } from './page-keys.ts'
import { useRecordResults } from './record-results.ts'

interface PaletteProps {
  commands: Command[]
  onClose: () => void
}

export function Palette({ commands, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const [available] = useState(() => [
    ...commands.filter((command) => !command.desktopOnly || isDesktop()),
    ...pageKeys().map((key): Command => ({ ...key, group: 'Action', run: key.run })),
  ])
  const found = find([...available, ...useRecordResults(typed)], typed)

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    // Runs after the palette has restored the focus: a dialog that the command opens restores it to the same element.
    setTimeout(command.run)
  }
  const move = (to: number) => {
    const next = (to + found.length) % found.length
    setActive(next)
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Modal label="Search pages and actions" onClose={onClose} className="mx-auto mt-drop max-w-reading">
      <div className="sticky top-0 flex items-center gap-8 border-neutral-6 border-b bg-float px-16">
        <Search aria-hidden className="icon text-neutral-11" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found.length ? `${listId}-${active}` : undefined}
          aria-label="Search pages and actions"
          placeholder="Search pages, projects, files and webhooks"
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') move(active + 1)
            else if (event.key === 'ArrowUp') move(active - 1)
            else if (event.key === 'Enter') run(found[active])
            else return
            event.preventDefault()
          }}
          className="h-48 flex-1 bg-transparent text-16 outline-none"
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label="Pages, projects, files, webhooks and actions"
        className="overflow-y-auto p-8"
      >
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys, as in every combobox.
          <div
            key={command.id ?? command.label}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => run(command)}
            onMouseMove={() => setActive(index)}
            className="flex h-row cursor-pointer items-center gap-12 rounded-control px-8 text-13 aria-selected:bg-neutral-4"
          >
            <CommandIcon command={command} />
            <span className="min-w-0 flex-1 truncate">
              {command.group !== 'Action' && <span className="text-neutral-11">{command.group} </span>}
              {command.label}
            </span>
            {command.keys && (
              <span className={KEY_HINT}>
                <Keys keys={command.keys} />
              </span>
            )}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-16 pb-16 text-13 text-neutral-11">
          No results for “{typed}”.
        </p>
      )}
    </Modal>
  )
}

function CommandIcon({ command: { icon: Icon, emoji } }: { command: Command }) {
  if (!emoji) return <Icon aria-hidden className="icon text-neutral-11" />
  return (
    <span aria-hidden className="flex w-16 shrink-0 justify-center overflow-hidden">
      {emoji}
    </span>
  )
}

/** The media query of KEY_HINT. */
const isDesktop = () => matchMedia('(width >= 860px) and (not (pointer: coarse))').matches

function find(commands: Command[], typed: string): Command[] {
  if (!typed.trim()) return commands
  return commands
    .map((command) => ({ command, score: fuzzyScore(typed, command.label) }))
    .filter((entry): entry is { command: Command; score: number } => entry.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}
