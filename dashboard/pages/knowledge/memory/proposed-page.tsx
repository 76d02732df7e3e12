import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Inbox, X } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { type Memory, memoriesQuery, refreshMemory } from '../../../api/memory.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Diff } from '../../../components/diff/diff.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { MemoryTabs } from './memory-tabs.tsx'

/** Proposals from runs that read untrusted content. `a` and `d` decide the first one. */
export function ProposedPage() {
  const list = useInfiniteQuery(memoriesQuery({ status: 'proposed' }))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const first = items.find(({ canEdit }) => canEdit)
  usePageKeys([
    {
      label: t`Accept the first proposal`,
      keys: 'a',
      icon: Check,
      run: () => first && void decide(first, 'accept'),
    },
    {
      label: t`Reject the first proposal`,
      keys: 'd',
      icon: X,
      run: () => first && void decide(first, 'reject'),
    },
  ])
  return (
    <Page title="Memory" tabs={<MemoryTabs />}>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <Empty
          icon={Inbox}
          title="No proposals"
          action={
            <Link to="/memory" className={buttonClass('plain')}>
              All memories
            </Link>
          }
        >
          Memories that agents save after reading a web page, file or event wait here, because the text may be
          untrusted. No agent sees them until you accept them.
        </Empty>
      )}
      {items.map((memory) => (
        <Proposal key={memory.id} memory={memory} />
      ))}
      {items.length > 0 && <ScrollEnd list={list} loaded={items.length} />}
    </Page>
  )
}

function Proposal({ memory }: { memory: Memory }) {
  const { key, content, replaces, canEdit, runId, projectName, updatedAt } = memory
  return (
    <article aria-label={key} className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-16 md:px-24">
      <header className="flex flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
        <Badge>{replaces ? t`Replaces` : t`New`}</Badge>
        <span className="min-w-0">
          For <Name>{projectName ?? t`the organization`}</Name> · <Time at={updatedAt} />
          {runId && (
            <>
              {' · '}
              <Link to="/runs/$runId" params={{ runId }} className="underline hover:text-neutral-12">
                Open run
              </Link>
            </>
          )}
        </span>
      </header>
      <h2 className="wrap-anywhere font-medium">
        <Name>{key}</Name>
      </h2>
      {replaces ? (
        <Diff before={replaces.content} after={content} />
      ) : (
        <p className="wrap-anywhere max-w-reading whitespace-pre-wrap">{content}</p>
      )}
      {canEdit ? (
        <div className="flex gap-8">
          <Button look="primary" onClick={() => void decide(memory, 'accept')}>
            Accept
          </Button>
          <Button onClick={() => void decide(memory, 'reject')}>Reject</Button>
        </div>
      ) : (
        <p className="text-13 text-neutral-11">View only. Editors can decide.</p>
      )}
    </article>
  )
}

async function decide({ id, key }: Memory, decision: 'accept' | 'reject'): Promise<void> {
  try {
    await api.memory[decision]({ id })
    toast(decision === 'accept' ? t`Accepted ${key}` : t`Rejected ${key}`, {
      label: t`Undo`,
      run: () => void reopen(id),
    })
    await refreshMemory()
  } catch (error) {
    toastFailure(error)
  }
}

async function reopen(id: string): Promise<void> {
  try {
    await api.memory.reopen({ id })
    await refreshMemory()
  } catch (error) {
    toastFailure(error)
  }
}
