import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { explain } from '../../api/explain.ts'
import { favouritesQuery } from '../../api/sidebar.ts'
import { Button } from '../../components/button.tsx'
import type { Command } from '../command-list.ts'
import { usePaletteActions } from './actions.ts'
import { buildChoiceGroup, buildPaletteGroups, recordCommand } from './groups.ts'
import type { PressKey } from './palette.tsx'
import { ResultRow } from './result-row.tsx'
import { useSearchResults } from './use-search-results.ts'

interface PaletteResultsProps {
  listId: string
  commands: Command[]
  typed: string
  /** The chosen command that asks for a record. */
  step: Command | undefined
  onStep: (command: Command) => void
  onClose: () => void
  onActive: (id: string | undefined) => void
  onReady: (press: PressKey) => void
}

/** Per group while every group is shown; a tab shows the rest. */
const SHOWN_MAX = 5

export function PaletteResults(props: PaletteResultsProps) {
  const { listId, commands, typed, step, onStep, onClose, onActive, onReady } = props
  const search = useSearchResults(step ? '' : typed)
  const actions = usePaletteActions()
  const choices = useChoices(step)
  const [tab, setTab] = useState<string>()
  const { history } = useRouter()
  const { data: favourites = [] } = useQuery(favouritesQuery)
  const all = step
    ? [buildChoiceGroup(step.label, choices.data ?? [], typed)].filter(({ options }) => options.length > 0)
    : buildPaletteGroups({
        commands: [...commands, ...actions],
        typed,
        items: search.items,
        favourites,
        open: (path) => history.push(path),
      })
  const opened = all.find(({ label }) => label === tab)
  const groups =
    step || opened
      ? [...(opened && !step ? [opened] : all)]
      : all.map(({ label, options }) => ({ label, options: options.slice(0, SHOWN_MAX) }))
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
    if (option.id.startsWith('command ')) recordCommand(option.id)
    if (option.choices) {
      const { id, label, icon, choices: list } = option
      onStep({ id, label, icon, choices: list, group: 'action' })
      return
    }
    onClose()
    // Runs after the palette has restored focus, so a dialog it opens restores it to the same element.
    setTimeout(option.run)
  }
  const select = (at: number) => {
    const next = (at + options.length) % options.length
    setSelected(options[next]?.id)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const tabs = step ? [] : [undefined, ...all.map(({ label }) => label)]
  const selectTab = (move: 1 | -1) => {
    const current = Math.max(0, tabs.indexOf(opened?.label))
    setTab(tabs[(current + move + tabs.length) % tabs.length])
    setSelected(undefined)
  }
  const press = useEffectEvent<PressKey>((key, isShift) => {
    if (key === 'ArrowDown') select(index + 1)
    else if (key === 'ArrowUp') select(index - 1)
    else if (key === 'Tab') selectTab(isShift ? -1 : 1)
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
      {tabs.length > 2 && <Tabs labels={tabs} current={opened?.label} onChoose={setTab} />}
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
      <Status search={step ? choices : search} isEmpty={options.length === 0} typed={typed} />
    </>
  )
}

interface TabsProps {
  labels: (string | undefined)[]
  current: string | undefined
  onChoose: (label: string | undefined) => void
}

/** For the pointer; in the input, the Tab key moves between them. */
function Tabs({ labels, current, onChoose }: TabsProps) {
  return (
    <div className="flex gap-4 overflow-x-auto border-neutral-6 border-b px-12 py-8 [scrollbar-width:none]">
      {labels.map((label) => (
        <button
          key={label ?? ''}
          type="button"
          tabIndex={-1}
          aria-pressed={label === current}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(label)}
          className="h-24 shrink-0 rounded-round px-12 font-medium text-12 text-neutral-11 hover:bg-hover aria-pressed:bg-selected aria-pressed:text-neutral-12"
        >
          {label ?? t`All`}
        </button>
      ))}
    </div>
  )
}

/** A failed list can be tried again, like a search. */
function useChoices(step: Command | undefined) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['palette', step?.id],
    queryFn: () => step?.choices?.() ?? [],
    enabled: step !== undefined,
    staleTime: 0,
    retry: false,
  })
  return { data, error, isLoading: isFetching && !data, retry: () => void refetch() }
}

interface StatusProps {
  search: Pick<ReturnType<typeof useSearchResults>, 'error' | 'isLoading' | 'retry'>
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
  const noResults = typed.trim() ? t`No results for “${typed.trim()}”.` : t`Nothing to choose.`
  const text = search.isLoading ? t`Searching…` : isEmpty ? noResults : ''
  return (
    <p role="status" className={`px-16 text-13 text-neutral-11 ${text && isEmpty ? 'pb-16' : 'sr-only'}`}>
      {text}
    </p>
  )
}
