import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { linkTargetsQuery, type TableColumn } from '../../../api/tables.ts'
import { Combobox } from '../../../components/forms/combobox.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { LINK_ICONS } from './links.tsx'

/** What a link can name. */
export interface LinkTarget {
  id: string
  title: string | null
  createdAt?: string
}

/** Found by title. */
export function useLinkTargets(tableId: string, column: TableColumn, search: string) {
  const { data, error } = useQuery({
    ...linkTargetsQuery(tableId, column.id, useDeferredValue(search.trim())),
    placeholderData: keepPreviousData,
  })
  const noMatch = error ? t`Can’t search now` : data ? t`Nothing found` : t`Searching…`
  return { targets: data ?? [], noMatch }
}

interface TargetOptionProps {
  column: TableColumn
  option: Pick<LinkTarget, 'title' | 'createdAt'>
}

export function TargetOption({ column, option: { title, createdAt } }: TargetOptionProps) {
  const Icon = LINK_ICONS[column.target!]
  return (
    <>
      <Icon aria-hidden className="icon shrink-0 text-neutral-11" />
      <span className="min-w-0 flex-1 truncate">{title === null ? t`Untitled` : <Name>{title}</Name>}</span>
      {createdAt && (
        <span className="shrink-0 text-12 text-neutral-11">
          <Time at={createdAt} />
        </span>
      )}
    </>
  )
}

interface LinkSearchProps {
  label: string
  labelHidden?: boolean
  small?: boolean
  tableId: string
  column: TableColumn
  /** Its id and title. */
  value: string | undefined
  title: string
  onChoose: (target: LinkTarget) => void
}

/** In a form. */
export function LinkSearch(props: LinkSearchProps) {
  const { label, labelHidden, small, tableId, column, value, title, onChoose } = props
  const [search, setSearch] = useState('')
  const { targets, noMatch } = useLinkTargets(tableId, column, search)
  return (
    <Combobox
      {...{ label, labelHidden, small }}
      text={title}
      placeholder={t`Search`}
      match={() => targets}
      keyOf={({ id }) => id}
      isChosen={({ id }) => id === value}
      onSearch={setSearch}
      onChoose={onChoose}
      noMatch={noMatch}
    >
      {(option) => <TargetOption column={column} option={option} />}
    </Combobox>
  )
}
