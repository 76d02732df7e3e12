import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { type Connection, cacheConnection, connectionApi } from '../../../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { newestProjectsQuery, projectQuery, projectRef } from '../../../../api/projects.ts'
import { useSession } from '../../../../api/session.ts'
import { Button } from '../../../../components/button.tsx'
import { accountName, connectionName } from '../../../../components/connectors/connection-labels.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { Row, Rows, Section } from '../../../../components/section.tsx'
import { toast } from '../../../../components/toast.tsx'

export function Sharing({ connection, isOwn }: { connection: Connection; isOwn: boolean }) {
  const { shared, sharedProjectId, owner, status } = connection
  const [isOpen, setOpen] = useState(false)
  const project = useQuery({ ...projectQuery(sharedProjectId ?? ''), enabled: sharedProjectId !== null }).data
  const account = isOwn ? t`your account` : t`${owner.name}’s account`
  const notes: Record<Connection['shared'], React.ReactNode> = {
    none: t`Only runs you start use it.`,
    project: (
      <>
        Runs in{' '}
        {project ? (
          <Link
            to="/projects/$ref"
            params={{ ref: projectRef(project) }}
            className="underline hover:text-neutral-12"
          >
            <Name>{project.name}</Name>
          </Link>
        ) : (
          t`a project`
        )}{' '}
        use it with {account}.
      </>
    ),
    org: t`All members’ runs use it with ${account}.`,
  }
  return (
    <Section title="Sharing" lead="Other members’ runs can use a shared connection but never see its tokens.">
      <Rows label="Sharing">
        <Row title={<span className="font-medium">{TITLES[shared]}</span>} note={notes[shared]}>
          {isOwn && status !== 'pending' && status !== 'failed' && (
            <Button onClick={() => setOpen(true)}>Share…</Button>
          )}
        </Row>
      </Rows>
      {isOpen && <ShareDialog connection={connection} onClose={() => setOpen(false)} />}
    </Section>
  )
}

const TITLES: Record<Connection['shared'], string> = {
  none: t`Not shared`,
  project: t`Shared with a project`,
  org: t`Shared with the organization`,
}

/** Requires step-up. */
function ShareDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { id, connector } = connection
  const { organization } = useSession()
  const newest = useQuery(newestProjectsQuery).data?.items ?? []
  const sharedProject = useQuery({
    ...projectQuery(connection.sharedProjectId ?? ''),
    enabled: connection.sharedProjectId !== null,
  }).data
  const isUnlisted = sharedProject && !newest.some(({ id: other }) => other === sharedProject.id)
  const projects = isUnlisted ? [sharedProject, ...newest] : newest
  const [shared, setShared] = useState(connection.shared)
  const [chosenId, setChosenId] = useState(connection.sharedProjectId ?? '')
  const projectId = chosenId || projects[0]?.id
  const project = projects.find((each) => each.id === projectId)
  const save = useMutation({
    mutationFn: () =>
      connectionApi.connections.share({
        id,
        shared,
        projectId: shared === 'project' ? projectId : undefined,
      }),
    onSuccess: async (changed) => {
      await cacheConnection(changed)
      toast(changed.shared === 'none' ? t`No longer shared` : withNames`Shared ${connectionName(changed)}`)
      onClose()
    },
  })
  const account = accountName(connection) ?? t`your account`
  const effects: Record<Connection['shared'], string> = {
    none: t`Only runs you start can use it. Other members’ runs stop using it immediately.`,
    project: t`Anyone who can run agents in ${project?.name ?? t`the project`} will act in ${connector.name} as ${account}.`,
    org: t`Every ${organization.name} member will act in ${connector.name} as ${account}.`,
  }
  return (
    <FormDialog
      size="normal"
      title={withNames`Share ${connectionName(connection)}`}
      action="Save"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <Select
        label="Who can use it in runs"
        value={shared}
        onChange={(event) => setShared(event.target.value as Connection['shared'])}
      >
        <option value="none">Only you</option>
        <option value="project">A project</option>
        <option value="org">The whole organization</option>
      </Select>
      {shared === 'project' && (
        <Select
          label="Project"
          error={fieldMessage(save.error, 'projectId')}
          required
          value={projectId ?? ''}
          onChange={(event) => setChosenId(event.target.value)}
        >
          {projects.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </Select>
      )}
      <p
        className={`rounded-control border px-12 py-8 text-13 ${shared === 'none' ? 'border-neutral-6 bg-inset text-neutral-11' : 'border-warning-line bg-warning-wash text-warning-text'}`}
      >
        {effects[shared]}
        {shared !== 'none' && t` They won’t see tokens or keys, and every call is listed here.`}
      </p>
    </FormDialog>
  )
}
