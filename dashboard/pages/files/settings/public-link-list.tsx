import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Globe, Lock, Unlink } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { memberNamesQuery } from '../../../api/conversations.ts'
import { shortMessage } from '../../../api/explain.ts'
import { allLinksQuery, fileApi, type PublicLink } from '../../../api/files.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Creator } from '../files/creator.tsx'

const refresh = () => queryClient.invalidateQueries({ queryKey: ['files', 'all-public-links'] })

const route = getRouteApi('/app/settings/organization/files')

export function PublicLinkList() {
  const { person } = route.useSearch()
  const navigate = useNavigate()
  const [isRevoking, setRevoking] = useState(false)
  const names = useQuery(memberNamesQuery).data ?? new Map<string, string>()
  const list = useInfiniteQuery({ ...allLinksQuery(person), placeholderData: (before) => before })
  const links = list.data?.pages.flatMap((page) => page.items) ?? []
  const options = [...names].map(([value, label]) => ({ value, label }))
  return (
    <section aria-label="All public links">
      <FilterBar>
        <h2 className="mr-auto font-strong">All public links</h2>
        <Filter
          narrow
          label="Filter by member"
          any={t`All members`}
          value={person}
          options={options}
          onChoose={(id) => void navigate({ to: '.', search: { person: id }, replace: true })}
        />
        {person && links.length > 0 && (
          <Button size="small" onClick={() => setRevoking(true)}>
            <Unlink aria-hidden className="icon" />
            Revoke all
          </Button>
        )}
      </FilterBar>
      <PagedTable
        label="Public links"
        list={list}
        columns={COLUMNS}
        rows={links}
        rowKey={({ id }) => id}
        loaded={links.length}
        empty={
          <Empty
            inline
            icon={Globe}
            title={person ? t`This member has no public links` : t`No public links yet`}
          >
            Members create public links in a file or folder’s panel. See who created each link and when it was
            last opened.
          </Empty>
        }
      />
      {isRevoking && person && (
        <ConfirmDialog
          title={withNames`Revoke all links by ${names.get(person) ?? t`this member`}`}
          action="Revoke all links"
          mutate={() => fileApi.publicLinks.revokeAll({ createdBy: person })}
          invalidates={[['files']]}
          success={withNames`Revoked all public links by ${names.get(person) ?? t`this member`}`}
          onClose={() => setRevoking(false)}
        >
          <p>All public links this member created stop working immediately. The files stay.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

async function revoke({ id: linkId, fileId }: PublicLink) {
  try {
    await fileApi.publicLinks.revoke({ id: fileId, linkId })
    toast(t`Public link revoked`)
  } catch (error) {
    toast(shortMessage(error))
  }
  await refresh()
}

const COLUMNS: Column<PublicLink>[] = [
  {
    header: t`File`,
    wide: true,
    cell: ({ fileName, hasPassword, createdBy }) => (
      <span className="block min-w-0">
        <span className="flex min-w-0 items-center gap-4">
          <span className="truncate">
            {fileName === null ? (
              <span className="text-neutral-11">A file you can’t access</span>
            ) : (
              <Name>{fileName}</Name>
            )}
          </span>
          {hasPassword && (
            <Lock role="img" aria-label="Password protected" className="size-12 shrink-0 text-neutral-11" />
          )}
        </span>
        <span className="block truncate text-12 text-neutral-11 @medium:hidden">
          <Creator userId={createdBy} />
        </span>
      </span>
    ),
  },
  { header: t`Status`, cell: (link) => <State link={link} /> },
  {
    header: t`Created by`,
    visibleFrom: 'medium',
    cell: ({ createdBy }) => (
      <span className="whitespace-nowrap">
        <Creator userId={createdBy} />
      </span>
    ),
  },
  { header: t`Created`, visibleFrom: 'wide', right: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: t`Last opened`,
    visibleFrom: 'wide',
    right: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : t`Never`),
  },
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (link) => (
      <Button size="small" look="quiet" onClick={() => revoke(link)}>
        Revoke
      </Button>
    ),
  },
]

function State({ link: { active, expiresAt } }: { link: PublicLink }) {
  const [now] = useState(Date.now)
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now
  if (!active) return <Status meaning="neutral">{isExpired ? t`Expired` : t`Inactive`}</Status>
  return (
    <span className="flex flex-col">
      <Status meaning="good">Active</Status>
      {expiresAt && (
        <span className="whitespace-nowrap text-12 text-neutral-11">
          expires <Time at={expiresAt} isExpected />
        </span>
      )}
    </span>
  )
}
