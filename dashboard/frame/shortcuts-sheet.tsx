import { t } from '../../contract/text.ts'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { Keys } from '../components/kbd.tsx'
import { type Command, paletteCommand } from './command-list.ts'
import { pageKeys } from './page-keys.ts'

const LIST_KEYS = [
  { label: t`Next or previous row`, keys: 'j k' },
  { label: t`Open row`, keys: 'Enter' },
  { label: t`Filter list`, keys: '/' },
  { label: t`Submit`, keys: 'mod+Enter' },
  { label: t`Close panel or dialog`, keys: 'Esc' },
  { label: t`Undo (while the notification is visible)`, keys: 'mod+z' },
]

interface ShortcutsSheetProps {
  commands: Command[]
  onClose: () => void
}

export function ShortcutsSheet({ commands, onClose }: ShortcutsSheetProps) {
  const pageShortcuts = pageKeys()
  const isOverridden = (keys: string | undefined) => pageShortcuts.some((key) => key.keys === keys)
  const shortcuts = [paletteCommand, ...commands].filter(({ keys }) => keys && !isOverridden(keys))
  return (
    <Dialog size="wide" title="Keyboard shortcuts" onClose={onClose}>
      <div className="grid gap-x-32 gap-y-24 sm:grid-cols-2">
        <Group title="General" entries={shortcuts.filter((command) => command.group === 'action')} />
        <Group title="Go to" entries={shortcuts.filter((command) => command.group === 'page')} />
        <Group title="Lists and panels" entries={LIST_KEYS.filter(({ keys }) => !isOverridden(keys))} />
        {pageShortcuts.length > 0 && <Group title="On this page" entries={pageShortcuts} />}
      </div>
    </Dialog>
  )
}

function Group({ title, entries }: { title: string; entries: { label: string; keys?: string }[] }) {
  return (
    <section>
      <h3 className="border-neutral-6 border-b pb-8 font-medium text-12 text-neutral-11">{title}</h3>
      <dl>
        {entries.map(({ label, keys }) => (
          <div
            key={label}
            className="flex h-32 items-center justify-between gap-12 border-neutral-6 border-b text-13 last:border-b-0"
          >
            <dt>{label}</dt>
            <dd>{keys && <Keys keys={keys} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
