import { Fragment } from 'react'
import { KEY_HINT, Keys } from '../../components/kbd.tsx'
import { Time } from '../../components/time.tsx'
import type { Option } from './groups.ts'

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
      className="flex min-h-row cursor-pointer items-center gap-12 rounded-control px-8 py-4 text-13 aria-selected:bg-selected"
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

const MARKS = /[\u0300-\u036f]/g
const WORD = /[\p{L}\p{N}]+/gu

/** Folds each character to one, so positions stay the same: `ö` becomes `o`. */
const fold = (text: string) =>
  Array.from(text, (character) => character.normalize('NFKD').replace(MARKS, '')[0] ?? ' ')
    .join('')
    .toLowerCase()

/** Never renders the text as HTML. */
function Highlight({ text, query }: { text: string; query: string }) {
  const characters = Array.from(text)
  const words = [...new Set(fold(query).match(WORD) ?? [])].filter((word) => word.length > 1)
  const folded = fold(text)
  if (words.length === 0 || folded.length !== characters.length) return text
  const pattern = new RegExp(words.toSorted((a, b) => b.length - a.length).join('|'), 'gu')
  const parts: { text: string; isMatch: boolean; at: number }[] = []
  let end = 0
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) parts.push({ text: characters.slice(from, to).join(''), isMatch, at: from })
  }
  for (const { index, 0: match } of folded.matchAll(pattern)) {
    add(end, index, false)
    end = index + match.length
    add(index, end, true)
  }
  add(end, characters.length, false)
  return parts.map((part) =>
    part.isMatch ? (
      <mark key={part.at} className="bg-transparent font-strong text-selection-text">
        {part.text}
      </mark>
    ) : (
      <Fragment key={part.at}>{part.text}</Fragment>
    ),
  )
}
