import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { explain } from '../../api/explain.ts'
import { favouritesQuery } from '../../api/sidebar.ts'
import { Button } from '../../components/button.tsx'
import type { Command } from '../command-list.ts'
import { buildPaletteGroups } from './groups.ts'
import type { PressKey } from './palette.tsx'
import { ResultRow } from './result-row.tsx'
import { useSearchResults } from './use-search-results.ts'

interface PaletteResultsProps {
  listId: string
  commands: Command[]
  typed: string
  onClose: () => void
  onActive: (id: string | undefined) => void
  onReady: (press: PressKey) => void
}

export function PaletteResults({ listId, commands, typed, onClose, onActive, onReady }: PaletteResultsProps) {
  const search = useSearchResults(typed)
  const { history } = useRouter()
  const { data: favourites = [] } = useQuery(favouritesQuery)
  const groups = buildPaletteGroups({
    commands,
    typed,
    items: search.items,
    favourites,
    open: (path) => history.push(path),
  })
  const options = groups.flatMap((group) => group.options)
  // A choice applies to its query; another query selects its first result.
  const [choice, setChoice] = useState<{ typed: string; id?: string | undefined; isEnterPressed?: true }>()
  const { id: selected, isEnterPressed = false } = choice?.typed === typed ? choice : {}
  const setSelected = (id: string | undefined) => setChoice({ typed, id })
  // Arriving results don't move the selection. Defaults to the first option.
  const index = Math.max(
    0,
    options.findIndex(({ id }) => id === selected),
  )
  const optionId = (at: number) => `${listId}-${at}`

  const run = (at: number) => {
    const option = options[at]
    if (!option) return
    onClose()
    // Runs after the palette has restored focus, so a dialog it opens restores it to the same element.
    setTimeout(option.run)
  }
  const select = (at: number) => {
    const next = (at + options.length) % options.length
    setSelected(options[next]?.id)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const selectGroup = (step: 1 | -1) => {
    const starts = groups.map((_, at) =>
      groups.slice(0, at).reduce((sum, group) => sum + group.options.length, 0),
    )
    const current = starts.findLastIndex((start) => start <= index)
    select(starts[(current + step + starts.length) % starts.length] ?? 0)
  }
  const press = useEffectEvent<PressKey>((key, isShift) => {
    if (key === 'ArrowDown') select(index + 1)
    else if (key === 'ArrowUp') select(index - 1)
    else if (key === 'Tab') selectGroup(isShift ? -1 : 1)
    else if (key === 'Enter' && options.length === 0) setChoice({ typed, isEnterPressed: true })
    else if (key === 'Enter') run(index)
    else return false
    return true
  })
  const runFirst = useEffectEvent(() => run(0))

  useEffect(() => onReady((key, isShift) => press(key, isShift)), [onReady])
  // Enter before the first result opens it when it arrives.
  useEffect(() => {
    if (isEnterPressed && options.length > 0) runFirst()
  }, [isEnterPressed, options.length])
  const activeId = options.length > 0 ? optionId(index) : undefined
  useEffect(() => onActive(activeId), [activeId, onActive])

  let at = 0
  return (
    <>
      <div id={listId} role="listbox" aria-label="Results" className="p-8">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox contains groups of options, not fieldsets.
          <div key={group.label} role="group" aria-label={group.label} className="pb-8 last:pb-0">
            <div aria-hidden className="px-8 py-4 font-medium text-12 text-neutral-11">
              {group.label}
            </div>
            {group.options.map((option) => {
              const optionIndex = at++
              return (
                <ResultRow
                  key={option.id}
                  id={optionId(optionIndex)}
                  option={option}
                  typed={typed}
                  isSelected={optionIndex === index}
                  onRun={() => run(optionIndex)}
                  onSelect={() => setSelected(option.id)}
                />
              )
            })}
          </div>
        ))}
      </div>
      <Status search={search} isEmpty={options.length === 0} typed={typed} />
    </>
  )
}

interface StatusProps {
  search: ReturnType<typeof useSearchResults>
  isEmpty: boolean
  typed: string
}

function Status({ search, isEmpty, typed }: StatusProps) {
  if (search.error)
    return (
      <div role="alert" className="flex items-center gap-12 px-16 pb-16 text-13">
        <span className="min-w-0 flex-1 text-neutral-11">Search failed: {explain(search.error).title}</span>
        <Button onClick={search.retry}>Try again</Button>
      </div>
    )
  const text = search.isLoading ? t`Searching…` : isEmpty ? t`No results for “${typed.trim()}”.` : ''
  return (
    <p role="status" className={`px-16 text-13 text-neutral-11 ${text && isEmpty ? 'pb-16' : 'sr-only'}`}>
      {text}
    </p>
  )
}
