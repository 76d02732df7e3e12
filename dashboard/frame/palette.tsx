import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { Modal } from '../components/dialogs/dialog.tsx'
import { KEY_HINT, Keys } from '../components/kbd.tsx'
import type { Command } from './commands.ts'
import { useProjectResults } from './found-projects.ts'
import { fuzzyScore } from './fuzzy.ts'
import { pageKeys } from './page-keys.ts'

interface PaletteProps {
  commands: Command[]
  onClose: () => void
}

export function Palette({ commands, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const [offered] = useState(() => [
    ...commands.filter((command) => !command.deskOnly || isDesk()),
    ...pageKeys().map((key): Command => ({ ...key, group: 'Do', run: key.run })),
  ])
  const found = find([...offered, ...useProjectResults(typed)], typed)

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    // After the dialog has given focus back, so that a dialog this opens gives it to the right place.
    setTimeout(command.run)
  }
  const move = (to: number) => {
    const next = (to + found.length) % found.length
    setActive(next)
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Modal label="Find a page or an action" onClose={onClose} className="mx-auto mt-drop max-w-reading">
      <div className="sticky top-0 flex items-center gap-8 border-neutral-6 border-b bg-float px-16">
        <Search aria-hidden className="icon text-neutral-11" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found.length ? `${listId}-${active}` : undefined}
          aria-label="Find a page or an action"
          placeholder="Find a page, a project or an action"
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
        aria-label="Pages, projects and actions"
        className="overflow-y-auto p-8"
      >
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys live on the input, as a combobox has it.
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
            <Mark command={command} />
            <span className="min-w-0 flex-1 truncate">
              {command.group !== 'Do' && <span className="text-neutral-11">{command.group} </span>}
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
          No page, project or action is called “{typed}”.
        </p>
      )}
    </Modal>
  )
}

function Mark({ command: { icon: Icon, mark } }: { command: Command }) {
  if (!mark) return <Icon aria-hidden className="icon text-neutral-11" />
  return (
    <span aria-hidden className="flex w-16 shrink-0 justify-center overflow-hidden">
      {mark}
    </span>
  )
}

/** The same question as KEY_HINT asks. */
const isDesk = () => matchMedia('(width >= 860px) and (not (pointer: coarse))').matches

function find(commands: Command[], typed: string): Command[] {
  if (!typed.trim()) return commands
  return commands
    .map((command) => ({ command, score: fuzzyScore(typed, command.label) }))
    .filter((entry): entry is { command: Command; score: number } => entry.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}
