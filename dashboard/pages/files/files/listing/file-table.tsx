import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../../../contract/text.ts'
import { InlineSelect } from '../../../../components/forms/select.tsx'
import { RowChunks } from '../../../../components/table/row-chunk.tsx'
import { HEAD } from '../../../../components/table/table.tsx'
import { labelInSentence } from '../../../../state/label-in-sentence.ts'
import type { RowContext } from '../actions/file-commands.ts'
import type { FileEntry, FileListQuery } from '../files-queries.ts'
import type { Selection } from '../selection.ts'
import { FileRow } from './file-row.tsx'
import { type Columns, useColumns } from './layout-menu.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** Checkbox, name and actions. */
const FIXED_COLUMNS = 3

interface FileTableProps {
  label: string
  files: FileEntry[]
  selection: Selection
  context: RowContext
  currentId: string | undefined
  renamingId: string | undefined
  sort: FileListQuery['sort']
  onSort: (sort: FileListQuery['sort']) => void
}

export function FileTable(props: FileTableProps) {
  const { label, files, selection, context, currentId, renamingId } = props
  const columns = useColumns()
  return (
    <table
      aria-label={label}
      aria-rowcount={files.length + 1}
      data-selecting={selection.ids.size > 0 || undefined}
      className="w-full border-separate border-spacing-0 tabular-nums"
    >
      <Head {...props} columns={columns} />
      <RowChunks rows={files} columnCount={FIXED_COLUMNS + columns.size}>
        {(file) => (
          <FileRow
            key={file.id}
            file={file}
            context={context}
            columns={columns}
            selected={selection.ids.has(file.id)}
            current={file.id === currentId}
            renaming={file.id === renamingId}
          />
        )}
      </RowChunks>
    </table>
  )
}

function Head({ files, selection, context, sort, onSort, columns }: FileTableProps & { columns: Columns }) {
  const isAllSelected = files.length > 0 && selection.ids.size === files.length
  return (
    <thead>
      <tr>
        <th scope="col" className={`${HEAD} w-32 pr-0`}>
          <input
            type="checkbox"
            aria-label="Select all"
            checked={isAllSelected}
            ref={(box) => {
              if (box) box.indeterminate = !isAllSelected && selection.ids.size > 0
            }}
            onChange={() => (isAllSelected ? selection.clear() : selection.selectAll())}
            className="block size-16"
          />
        </th>
        {selection.ids.size > 0 ? (
          <th scope="col" colSpan={FIXED_COLUMNS - 1 + columns.size} className={HEAD}>
            <SelectionBar selection={selection} commands={context.commands} />
          </th>
        ) : (
          <>
            <SortHead label="Name" sorted={sort === undefined} up onSort={() => onSort(undefined)}>
              <SortSelect sort={sort} onSort={onSort} />
            </SortHead>
            {columns.has('type') && <PlainHead label="Type" />}
            {columns.has('creator') && <PlainHead label="Uploaded by" />}
            {columns.has('tags') && <PlainHead label="Tags" />}
            {columns.has('size') && (
              <SortHead right label="Size" sorted={sort === 'largest'} onSort={() => onSort('largest')} />
            )}
            {columns.has('created') && <PlainHead right label="Created" />}
            {columns.has('modified') && (
              <SortHead right label="Modified" sorted={sort === 'newest'} onSort={() => onSort('newest')} />
            )}
            <th scope="col" className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </>
        )}
      </tr>
    </thead>
  )
}

const PlainHead = ({ label, right }: { label: string; right?: boolean }) => (
  <th
    scope="col"
    className={`${HEAD} hidden whitespace-nowrap @wide:table-cell ${right ? 'text-right' : ''}`}
  >
    {label}
  </th>
)

interface SortHeadProps {
  label: string
  sorted: boolean
  up?: boolean
  right?: boolean
  onSort: () => void
  /** Replaces the button in narrow lists. */
  children?: ReactNode
}

function SortHead({ label, sorted, up, right, onSort, children }: SortHeadProps) {
  const Arrow = up ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={sorted ? (up ? 'ascending' : 'descending') : undefined}
      className={`${HEAD} ${right ? 'hidden text-right @medium:table-cell' : ''}`}
    >
      <button
        type="button"
        title={t`Sort by ${labelInSentence(label)}`}
        onClick={onSort}
        className={`inline-flex items-center gap-4 rounded-control hover:text-neutral-12 ${sorted ? 'text-neutral-12' : ''} ${children ? '@max-medium:hidden' : ''}`}
      >
        {label}
        <Arrow aria-hidden className={`size-12 ${sorted ? '' : 'invisible'} ${right ? 'order-first' : ''}`} />
      </button>
      {children && <span className="@medium:hidden">{children}</span>}
    </th>
  )
}

const SORTS = [
  { value: 'name', label: t`Name` },
  { value: 'newest', label: t`Newest first` },
  { value: 'largest', label: t`Largest first` },
] as const

interface SortSelectProps {
  sort: FileListQuery['sort']
  onSort: (sort: FileListQuery['sort']) => void
}

/** Replaces the sortable column headers in narrow lists. */
function SortSelect({ sort, onSort }: SortSelectProps) {
  return (
    <InlineSelect
      small
      label="Sort by"
      value={sort ?? 'name'}
      options={SORTS}
      onChoose={(value) => onSort(value === 'name' ? undefined : value)}
    />
  )
}
