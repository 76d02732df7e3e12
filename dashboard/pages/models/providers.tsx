import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import { failureMessage } from '../../api/explain.ts'
import { modelListQuery, type ProviderState } from '../../api/models.ts'
import { organizationApi } from '../../api/organizations.ts'
import { useSession } from '../../api/session.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Mark } from '../../components/connectors/mark.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Name, withNames } from '../../components/name.tsx'
import { Row, Rows } from '../../components/section.tsx'
import { Status } from '../../components/status.tsx'
import { toast } from '../../components/toast.tsx'
import { type OwnProvider, providersQuery, refreshModels } from './models-queries.ts'

const SOURCES: Record<ProviderState['source'], string> = {
  organization: t`Added by this organization`,
  environment: t`Configured on the server`,
  local: t`Found on the server`,
}

export function Providers({ states }: { states: ProviderState[] }) {
  const { role } = useSession()
  const ownProviders = useQuery({ ...providersQuery, enabled: role !== 'member' })
  const [deleting, setDeleting] = useState<OwnProvider>()
  return (
    <>
      <Rows label="Model providers">
        {states.map((state) => (
          <ProviderRow
            key={state.id}
            state={state}
            ownProvider={
              state.source === 'organization'
                ? ownProviders.data?.items.find(({ slug }) => slug === state.id)
                : undefined
            }
            onDelete={setDeleting}
          />
        ))}
      </Rows>
      {deleting && (
        <ConfirmDialog
          title={withNames`Delete ${deleting.name}`}
          phrase={deleting.slug}
          action="Delete provider"
          mutate={() => organizationApi.modelProviders.remove({ id: deleting.id })}
          invalidates={[providersQuery.queryKey, modelListQuery.queryKey]}
          success={withNames`Deleted ${deleting.name}`}
          onClose={() => setDeleting(undefined)}
        >
          <p>This deletes its key. Agents can no longer use its models.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface ProviderRowProps {
  state: ProviderState
  ownProvider: OwnProvider | undefined
  onDelete: (provider: OwnProvider) => void
}

function ProviderRow({ state, ownProvider, onDelete }: ProviderRowProps) {
  const test = useMutation({
    mutationFn: (id: string) => organizationApi.modelProviders.test({ id }),
    onSuccess: async ({ ok, problem, modelCount }) => {
      toast(
        ok
          ? withNames`${state.name} responds and offers ${modelCount} models`
          : withNames`${state.name}: ${problem}`,
      )
      await refreshModels()
    },
    onError: (error) => toast(failureMessage(error) ?? t`Test failed`),
  })
  const key = ownProvider?.lastFour ? t` · key …${ownProvider.lastFour}` : ''
  return (
    <Row
      icon={<Mark slug={state.id} name={state.name} />}
      title={
        <>
          <span className="truncate font-medium">
            <Name>{state.name}</Name>
          </span>
          {state.availability === 'available' ? (
            <Status meaning="good">Available</Status>
          ) : (
            <Status meaning="bad">Unavailable</Status>
          )}
        </>
      }
      note={
        state.problem ?? (
          <>
            {SOURCES[state.source]}
            {key} · <code className="font-mono">{state.id}/…</code>
          </>
        )
      }
    >
      {ownProvider && (
        <>
          <Button look="quiet" busy={test.isPending} onClick={() => test.mutate(ownProvider.id)}>
            Test
          </Button>
          <Link
            to="/settings/organization/models/$providerId"
            params={{ providerId: ownProvider.id }}
            className={buttonClass('quiet')}
          >
            Edit
          </Link>
          <Button look="quiet" onClick={() => onDelete(ownProvider)}>
            Delete
          </Button>
        </>
      )}
    </Row>
  )
}
