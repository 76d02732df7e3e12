import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { LOCALE } from '../../contract/text.ts'
import { CONTROL } from '../components/forms/field.tsx'
import { Name } from '../components/name.tsx'

interface PageProps {
  title: string
  breadcrumb?: ReactNode
  count?: number
  filter?: { value: string; onChange: (value: string) => void; label: string }
  action?: ReactNode
  tabs?: ReactNode
  panel?: ReactNode
  children: ReactNode
}

export function Page({ title, breadcrumb, count, filter, action, tabs, panel, children }: PageProps) {
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div
        data-beside-panel={panel ? '' : undefined}
        className={`group/list min-w-0 flex-1 flex-col ${panel ? 'hidden md:flex' : 'flex'}`}
      >
        <header
          className={`flex shrink-0 flex-wrap items-center gap-x-12 gap-y-8 px-16 py-8 md:px-24 ${breadcrumb ? 'md:min-h-header' : 'md:pt-24 md:pb-12'} ${tabs ? 'pb-4' : 'border-neutral-6 border-b'} ${breadcrumb && !panel ? 'sm:flex-nowrap' : ''}`}
        >
          <div
            className={`flex min-w-0 gap-8 py-4 ${breadcrumb ? 'flex-1 items-center sm:flex-auto' : 'items-baseline'}`}
          >
            {breadcrumb}
            <h1
              className={`truncate font-strong ${breadcrumb ? 'text-16 tracking-heading' : 'text-20 tracking-title md:text-28'}`}
            >
              <Name>{title}</Name>
            </h1>
            {count !== undefined && (
              <span className="text-13 text-neutral-11 tabular-nums">{count.toLocaleString(LOCALE)}</span>
            )}
          </div>
          {filter && <Filter {...filter} fixed={breadcrumb !== undefined} />}
          {action && <div className={filter ? 'max-sm:ml-auto' : 'ml-auto'}>{action}</div>}
        </header>
        {tabs}
        <div data-scroll className="@container min-h-0 flex-1 overflow-y-auto">
          {children}
        </div>
      </div>
      {panel}
    </div>
  )
}

type FilterProps = NonNullable<PageProps['filter']> & {
  /** Keeps a fixed width, so a long title gets the rest. */
  fixed: boolean
}

function Filter({ value, onChange, label, fixed }: FilterProps) {
  const width = fixed
    ? 'sm:w-filter sm:min-w-qr sm:shrink-999'
    : 'sm:ml-auto sm:w-auto sm:min-w-0 sm:max-w-filter sm:flex-1'
  return (
    <div className={`relative w-full max-sm:order-3 ${width}`}>
      <Search aria-hidden className="icon pointer-events-none absolute top-8 left-8 text-neutral-11" />
      <input
        type="search"
        data-filter
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`h-32 pl-32 ${CONTROL}`}
      />
    </div>
  )
}
