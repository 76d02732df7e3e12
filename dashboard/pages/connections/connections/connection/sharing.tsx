import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Connection } from '../../../../api/connections/connections.ts'
import { projectQuery, projectRef } from '../../../../api/projects.ts'
import { Button } from '../../../../components/button.tsx'
import { Name } from '../../../../components/name.tsx'
import { Row, Rows, Section } from '../../../../components/section.tsx'
import { ShareDialog } from './share-dialog.tsx'

/** Who besides the owner can use the connection in runs. */
export function Sharing({ connection, isOwn }: { connection: Connection; isOwn: boolean }) {
  const { shared, sharedProjectId, owner, status } = connection
  const [isOpen, setOpen] = useState(false)
  const project = useQuery({ ...projectQuery(sharedProjectId ?? ''), enabled: sharedProjectId !== null }).data
  const account = isOwn ? 'your account' : `the account of ${owner.name}`
  const notes: Record<Connection['shared'], React.ReactNode> = {
    none: 'Only runs that you start use it.',
    project: (
      <>
        Runs of{' '}
        {project ? (
          <Link
            to="/projects/$ref"
            params={{ ref: projectRef(project) }}
            className="underline hover:text-neutral-12"
          >
            <Name>{project.name}</Name>
          </Link>
        ) : (
          'a project'
        )}{' '}
        use it with {account}.
      </>
    ),
    org: `Runs of every member of the organization use it with ${account}.`,
  }
  return (
    <Section
      title="Sharing"
      lead="Runs of others can work with a shared connection, and never see its tokens."
    >
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
  none: 'Not shared',
  project: 'Shared with a project',
  org: 'Shared with the organization',
}
