import { useMutation, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { failureMessage } from '../../../../api/explain.ts'
import { refreshGuardrails } from '../../../../api/guardrails.ts'
import { refreshSkills } from '../../../../api/skills.ts'
import { useCanEditAgents } from '../../../../api/workspaces.ts'
import { Button } from '../../../../components/button.tsx'
import { Empty } from '../../../../components/empty.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { Breadcrumb } from '../../../../components/layout/breadcrumb.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { Page } from '../../../../frame/page.tsx'
import { applyChange } from './apply-change.ts'
import { ChangeSection } from './change-section.tsx'
import { changesFromLink, type RequestedChange } from './changes-from-link.ts'

/** Skills and guardrails that `atrium agents apply` is about to change: a person reads them here and confirms. */
export function ApplyPage() {
  const [hash] = useState(() => location.hash)
  const changes = useQuery({
    queryKey: ['agents', 'apply', hash],
    queryFn: () => changesFromLink(hash),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Page title="Apply changes" breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}>
      {changes.isPending && <SkeletonRows rows={4} />}
      {changes.data === null && (
        <Empty icon={SearchX} title="This link contains no changes">
          Run npx atrium agents apply again: it prints a new link.
        </Empty>
      )}
      {changes.data && <Changes changes={changes.data} />}
    </Page>
  )
}

function Changes({ changes }: { changes: RequestedChange[] }) {
  const canEdit = useCanEditAgents() === true
  const [appliedCount, setAppliedCount] = useState(0)
  const apply = useMutation({
    mutationFn: async () => {
      for (const [index, change] of changes.entries()) {
        if (index < appliedCount) continue
        await applyChange(change)
        setAppliedCount(index + 1)
      }
    },
    onSettled: () => Promise.all([refreshSkills(), refreshGuardrails()]),
  })
  const isComplete = appliedCount === changes.length
  const label = changes.length === 1 ? 'Apply the change' : `Apply ${changes.length} changes`
  return (
    <>
      <div className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-16 md:px-24">
        <p className="max-w-reading text-13 text-neutral-11">
          A terminal requested these changes with atrium agents apply. Agents follow skills, and guardrails
          limit agents: read the changes first, and apply only those that you requested.
        </p>
        <FormFailure>{failureMessage(apply.error)}</FormFailure>
        <div>
          <div role="status">
            {isComplete && <p className="font-medium">Applied. The terminal continues.</p>}
          </div>
          {!isComplete && canEdit && (
            <Button look="primary" busy={apply.isPending} onClick={() => apply.mutate()}>
              {label}
            </Button>
          )}
        </div>
        {!canEdit && (
          <p className="text-13">You cannot edit in any workspace, so you cannot apply these changes.</p>
        )}
      </div>
      {changes.map((change, index) => (
        <ChangeSection
          key={`${change.kind} ${change.name}`}
          change={change}
          isApplied={index < appliedCount}
        />
      ))}
    </>
  )
}
