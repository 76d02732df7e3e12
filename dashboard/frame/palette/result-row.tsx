import { KEY_HINT, Keys } from '../../components/kbd.tsx'
import { Time } from '../../components/time.tsx'
import type { Option } from './groups.ts'
import { Highlight } from './highlight.tsx'

interface ResultRowProps {
  id: string
  option: Option
  typed: string
  isSelected: boolean
  onRun: () => void
  onSelect: () => void
}

export function ResultRow({ id, option, typed, isSelected, onRun, onSelect }: ResultRowProps) {
  const { label, icon: Icon, emoji, keys, snippet, updatedAt } = option
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys, as in every combobox.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={onRun}
      onMouseMove={onSelect}
      className="flex min-h-row cursor-pointer items-center gap-12 rounded-control px-8 py-4 text-13 aria-selected:bg-neutral-4"
    >
      {emoji ? (
        <span aria-hidden className="flex w-16 shrink-0 justify-center overflow-hidden">
          {emoji}
        </span>
      ) : (
        <Icon aria-hidden className="icon shrink-0 text-neutral-11" />
      )}
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">
          <Highlight text={label} query={typed} />
        </bdi>
        {snippet && snippet !== label && (
          <bdi className="block truncate text-12 text-neutral-11">
            <Highlight text={snippet} query={typed} />
          </bdi>
        )}
      </span>
      {updatedAt && (
        <span className="shrink-0 text-12 text-neutral-11 max-sm:hidden">
          <Time at={updatedAt} />
        </span>
      )}
      {keys && (
        <span className={KEY_HINT}>
          <Keys keys={keys} />
        </span>
      )}
    </div>
  )
}
