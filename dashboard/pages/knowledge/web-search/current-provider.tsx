import { useMutation } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { webSearchQuery } from '../../../api/web-search.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { Row, Rows } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'

interface CurrentProviderProps {
  provider: { name: string; source: 'organization' | 'server' } | null
  canEdit: boolean
}

export function CurrentProvider({ provider, canEdit }: CurrentProviderProps) {
  const [isRemoving, setRemoving] = useState(false)
  const test = useMutation({
    mutationFn: () => organizationApi.webSearch.test(),
    onError: (error) => toast(failureMessage(error) ?? t`Test failed`),
  })
  if (!provider)
    return (
      <p className="text-13 text-neutral-11">
        {canEdit
          ? t`No provider yet, so agents can’t search the web. They can read web pages.`
          : t`No provider yet, so agents can’t search the web. An admin can choose one.`}
      </p>
    )
  const { name, source } = provider
  return (
    <>
      <Rows label="Web search provider">
        <Row
          icon={<Globe aria-hidden className="icon text-neutral-11" />}
          title={<span className="font-medium">{name}</span>}
          note={source === 'server' ? t`Configured on the server` : t`Chosen by this organization`}
        >
          {canEdit && (
            <Button look="quiet" busy={test.isPending} onClick={() => test.mutate()}>
              Test
            </Button>
          )}
          {canEdit && source === 'organization' && (
            <Button look="quiet" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
        </Row>
      </Rows>
      <p
        role="status"
        className={`text-13 empty:hidden ${test.data?.ok ? 'text-good-text' : 'text-bad-text'}`}
      >
        {test.data &&
          (test.data.problem ??
            t`It found ${counted(test.data.resultCount, 'result', 'results')} in ${test.data.durationMs} ms.`)}
      </p>
      {isRemoving && (
        <ConfirmDialog
          title={withNames`Remove ${name}`}
          action="Remove provider"
          mutate={() => organizationApi.webSearch.remove()}
          invalidates={[webSearchQuery.queryKey]}
          success={withNames`Removed ${name}`}
          onClose={() => setRemoving(false)}
        >
          <p>This deletes its key. Agents then use this server’s provider, if it has one.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
