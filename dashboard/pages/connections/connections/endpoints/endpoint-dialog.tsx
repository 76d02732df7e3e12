import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../../api/agents.ts'
import {
  type Connection,
  type Connector,
  type ConnectorEndpoint,
  type CreatedEndpoint,
  connectionApi,
  refreshEndpoints,
} from '../../../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { newestProjectsQuery } from '../../../../api/projects.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { withNames } from '../../../../components/name.tsx'
import { toast } from '../../../../components/toast.tsx'
import { EndpointFields, toDraft, toSettings } from './endpoint-fields.tsx'
import { SetupDialog } from './setup-dialog.tsx'

interface EndpointDialogProps {
  connection: Connection
  connector: Connector
  endpoint?: ConnectorEndpoint
  onClose: () => void
}

/** If the provider has no API for it, the user then sets it up there. */
export function EndpointDialog({ connection, connector, endpoint, onClose }: EndpointDialogProps) {
  const [draft, setDraft] = useState(() => toDraft(endpoint, connector.receives?.replies ?? false))
  const [created, setCreated] = useState<CreatedEndpoint>()
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const projectList = useQuery(newestProjectsQuery).data
  const projects = projectList?.items ?? []
  const target = {
    agentId: draft.agentId || (agents[0]?.id ?? ''),
    projectId: draft.projectId || (projects[0]?.id ?? ''),
  }
  const save = useMutation({
    mutationFn: async () => {
      const settings = toSettings(draft, target)
      if (!endpoint) return connectionApi.connectorEndpoints.create({ id: connection.id, ...settings })
      await connectionApi.connectorEndpoints.update({
        id: endpoint.id,
        ...settings,
        filter: settings.filter || null,
      })
      return null
    },
    onSuccess: async (result) => {
      await refreshEndpoints()
      if (result && (result.setup.steps.length > 0 || result.setup.secret || result.setup.paste))
        return setCreated(result)
      toast(result ? withNames`${result.name} now receives events` : t`Saved`)
      onClose()
    },
  })
  if (created) return <SetupDialog endpoint={created} onClose={onClose} />
  const errorOf = (field: string) => fieldMessage(save.error, field)
  return (
    <FormDialog
      size="normal"
      title={endpoint ? withNames`Edit ${endpoint.name}` : withNames`New endpoint for ${connector.name}`}
      lead={endpoint ? undefined : projectList?.items.length === 0 ? NO_PROJECT : LEAD}
      action={endpoint ? t`Save` : t`Create endpoint`}
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <EndpointFields
        connector={connector}
        endpoint={endpoint}
        draft={{ ...draft, ...target }}
        update={(change) => setDraft({ ...draft, ...change })}
        agents={agents}
        projects={projects}
        errorOf={errorOf}
      />
    </FormDialog>
  )
}

const LEAD = t`Each event starts an agent run in the project with your permissions.`
const NO_PROJECT = t`Agents work in a project. Create one under Projects first.`
