import { Link } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { useSession } from '../../api/session.ts'
import { formatTokens, priceLabel } from '../amounts.ts'
import { Field } from '../forms/field.tsx'
import { Floating } from '../forms/floating.tsx'
import { Name } from '../name.tsx'
import { ModelMark } from './model-mark.tsx'
import { type ModelGroup, type ModelOption, useModelGroups, useModelOffers } from './model-options.ts'

interface ModelPickerProps {
  label: string
  value: string
  onChange: (model: string) => void
  /** Offers the organization's default model as an empty value. */
  hasDefault?: boolean
  hint?: ReactNode
  error?: string | undefined
  disabled?: boolean
  /** Characters. */
  limit?: number
}

/** An unlisted id stays, because a provider may offer models it doesn't list. */
export function ModelPicker(props: ModelPickerProps) {
  const { label, value, onChange, hasDefault = false, hint, error, disabled, limit } = props
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const chosen = useChosen(value)
  const listId = useId()
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <Field label={label} hint={hint} error={error} limit={limit} value={value}>
      {(control) => (
        <>
          <button
            {...control}
            ref={button}
            type="button"
            disabled={disabled}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            role="combobox"
            aria-controls={isOpen ? listId : undefined}
            onClick={() => (isOpen ? close() : setOpen(true))}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
              event.preventDefault()
              setOpen(true)
            }}
            className="flex h-32 w-full items-center gap-8 rounded-control border border-neutral-7 bg-card px-8 text-left text-13 hover:border-neutral-8 focus-visible:border-selection focus-visible:outline-1 focus-visible:-outline-offset-1 disabled:opacity-50 aria-expanded:border-selection aria-invalid:border-bad-text"
          >
            <Chosen {...chosen} />
            <ChevronsUpDown aria-hidden className="icon shrink-0 text-neutral-11" />
          </button>
          {isOpen && (
            <Floating
              id={listId}
              anchor={button}
              label={label}
              width={WIDTH_PX}
              onLeave={() => setOpen(false)}
            >
              <Choices
                value={value}
                hasDefault={hasDefault}
                onClose={close}
                onChoose={(id) => {
                  if (id !== value) onChange(id)
                  close()
                }}
              />
            </Floating>
          )}
        </>
      )}
    </Field>
  )
}

const WIDTH_PX = 600

function Chosen({ id, name, pricing, isDefault }: ReturnType<typeof useChosen>) {
  return (
    <>
      <ModelMark provider={id?.split('/')[0] ?? ''} />
      <span className="min-w-0 truncate font-medium">
        <Name>{name}</Name>
      </span>
      {isDefault && (
        <span className="min-w-0 shrink-999 truncate text-12 text-neutral-11">Organization default</span>
      )}
      <span className="ml-auto shrink-0 text-12 text-neutral-11 tabular-nums">{prices({ pricing })}</span>
    </>
  )
}

function useChosen(value: string) {
  const { models, defaultModel } = useModelOffers() ?? { models: [], defaultModel: null }
  const id = value || defaultModel
  const model = models.find((each) => each.id === id)
  return {
    id,
    name: model?.name ?? id ?? t`First available model`,
    pricing: model?.pricing ?? null,
    isDefault: value === '',
  }
}

const prices = ({ pricing }: Pick<ModelOption, 'pricing'>): string =>
  pricing ? `${priceLabel(pricing.input)} / ${priceLabel(pricing.output)}` : ''

interface ChoicesProps {
  value: string
  hasDefault: boolean
  onChoose: (id: string) => void
  onClose: () => void
}

function Choices({ value, hasDefault, onChoose, onClose }: ChoicesProps) {
  const listId = useId()
  const [search, setSearch] = useState('')
  const groups = useModelGroups(search, { hasDefault, value })
  const options = groups.flatMap((group) => group.options)
  const [chosenActive, setActive] = useState<number>()
  const active = chosenActive ?? Math.max(0, search ? 0 : options.findIndex(({ id }) => id === value))
  const field = useRef<HTMLInputElement>(null)
  const { role } = useSession()
  useLayoutEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, active])
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[active]
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move && options.length > 0) setActive((active + move + options.length) % options.length)
    else if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && document.activeElement === field.current) {
      if (option) onChoose(option.id)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the field, also while a link below has the focus.
    <div onKeyDown={onKeyDown} className="flex min-h-0 flex-col">
      <div className="flex h-row shrink-0 items-center gap-8 border-neutral-6 border-b px-12">
        <Search aria-hidden className="icon shrink-0 text-neutral-11" />
        <input
          ref={field}
          role="combobox"
          aria-label="Find a model"
          aria-autocomplete="list"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={options[active] ? `${listId}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Find a model"
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            setActive(undefined)
          }}
          className="h-32 min-w-0 flex-1 bg-transparent text-16 outline-none sm:text-13"
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label="Models"
        tabIndex={-1}
        onMouseDown={(event) => event.preventDefault()}
        className="@container min-h-0 overflow-y-auto p-4 outline-none"
      >
        {groups.map((group, index) => (
          <Group
            key={group.label}
            group={group}
            isFirst={index === 0}
            idOf={(option) => `${listId}-${options.indexOf(option)}`}
            isActive={(option) => options[active] === option}
            isChosen={({ id }) => id === value}
            onChoose={onChoose}
          />
        ))}
      </div>
      {options.length === 0 && (
        <p className="px-12 pb-12 text-13 text-neutral-11">
          No matching model. To use one that isn’t listed, type its provider and name: openai/gpt-5.
        </p>
      )}
      {role !== 'member' && (
        <div className="shrink-0 border-neutral-6 border-t p-4">
          <Link
            to="/settings/organization/models/new"
            className="flex h-32 items-center gap-8 rounded-control px-8 text-13 text-neutral-11 -outline-offset-2 hover:bg-hover hover:text-neutral-12"
          >
            <Plus aria-hidden className="icon" />
            Connect a provider
          </Link>
        </div>
      )}
    </div>
  )
}

interface GroupProps {
  group: ModelGroup
  /** Names the columns. */
  isFirst: boolean
  idOf: (option: ModelOption) => string
  isActive: (option: ModelOption) => boolean
  isChosen: (option: ModelOption) => boolean
  onChoose: (id: string) => void
}

const COLUMNS = 'flex items-center gap-12 px-8'
const CONTEXT = 'w-48 shrink-0 text-right @max-medium:hidden'
const PRICE = 'w-when shrink-0 whitespace-nowrap text-right'

function Group({ group, isFirst, idOf, isActive, isChosen, onChoose }: GroupProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset isn't allowed in a list of options.
    <div role="group" aria-labelledby={id}>
      <div aria-hidden className={`${COLUMNS} h-32 text-12 text-neutral-11`}>
        <span id={id} className="min-w-0 flex-1 truncate">
          {group.label}
        </span>
        {isFirst && (
          <>
            <span className={CONTEXT}>Context</span>
            <span className={PRICE}>In / out, 1M</span>
            <span className="w-16 shrink-0" />
          </>
        )}
      </div>
      {group.options.map((option) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        <div
          key={option.id}
          id={idOf(option)}
          role="option"
          tabIndex={-1}
          title={option.id || undefined}
          aria-selected={isChosen(option)}
          data-active={isActive(option) || undefined}
          onClick={() => onChoose(option.id)}
          className={`${COLUMNS} min-h-32 cursor-pointer rounded-control py-4 text-13 outline-none hover:bg-hover aria-selected:bg-selection-wash data-active:bg-selected aria-selected:data-active:bg-selection-wash aria-selected:data-active:outline-1 aria-selected:data-active:outline-selection-line`}
        >
          <ModelMark provider={option.provider} />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-8">
            <span className="max-w-full truncate font-medium">
              <Name>{option.name}</Name>
            </span>
            {option.note && (
              <span className="max-w-full truncate text-12 text-neutral-11">{option.note}</span>
            )}
          </span>
          <span className={`${CONTEXT} text-12 text-neutral-11 tabular-nums`}>
            {option.contextWindow !== null && formatTokens(option.contextWindow)}
          </span>
          <span className={`${PRICE} text-12 text-neutral-11 tabular-nums`}>
            {option.priceNote ?? prices(option)}
          </span>
          <span className="flex w-16 shrink-0 text-selection-text">
            {isChosen(option) && <Check aria-hidden className="icon" />}
          </span>
        </div>
      ))}
    </div>
  )
}
