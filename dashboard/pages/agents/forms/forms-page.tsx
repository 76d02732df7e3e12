import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClipboardList } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { formsQuery } from '../../../api/for-each.ts'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'

/** Open forms that the member may answer. */
export function FormsPage() {
  const list = useInfiniteQuery(formsQuery)
  const forms = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page title={t`Forms`}>
      {list.isPending && <SkeletonRows rows={3} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} page />}
      {list.data && forms.length === 0 && (
        <Empty icon={ClipboardList} title="No open forms">
          When a workflow asks you for something, the form appears here.
        </Empty>
      )}
      <ul>
        {forms.map(({ id, title, projectName, createdAt }) => (
          <li
            key={id}
            className="flex items-center gap-16 border-neutral-6 border-b px-16 py-8 text-13 md:px-24"
          >
            <span className="min-w-0 flex-1">
              <Link
                to="/forms/$formId"
                params={{ formId: id }}
                className="block truncate font-medium hover:underline"
              >
                <Name>{title || t`Form`}</Name>
              </Link>
              <span className="block truncate text-12 text-neutral-11">
                <Name>{projectName}</Name>
              </span>
            </span>
            <span className="shrink-0 text-neutral-11">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {list.hasNextPage && <ScrollEnd list={list} loaded={forms.length} />}
    </Page>
  )
}
