import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { Badge } from '../../../../components/badge.tsx'
import { Code } from '../../../../components/code.tsx'
import { CopyId } from '../../../../components/copy.tsx'
import { PanelSection } from '../../../../components/layout/panel.tsx'
import { Name } from '../../../../components/name.tsx'
import { Status } from '../../../../components/status.tsx'
import { Time } from '../../../../components/time.tsx'
import { formatSpend, STATUSES, VISIBILITIES } from '../project-labels.ts'
import { Downloads } from './backup.tsx'

export function ReadOnlySettings({ project }: { project: ProjectDetails }) {
  const { name, emoji, description, prompt, status, visibility, tags, metadata } = project
  return (
    <>
      <PanelSection>
        <p className="mb-12 text-13 text-neutral-11">
          View only. Editors in its workspaces can edit this project.
        </p>
        <p className="break-words font-medium text-16">
          {emoji} <Name>{name}</Name>
        </p>
        {description && <p className="mt-8 whitespace-pre-wrap break-words">{description}</p>}
      </PanelSection>
      {prompt && (
        <PanelSection title="Instructions">
          <p className="whitespace-pre-wrap break-words text-13">{prompt}</p>
        </PanelSection>
      )}
      <PanelSection title="Details">
        <dl className="grid grid-cols-3 gap-x-12 gap-y-8 text-13">
          <Detail label="Status">
            <Status meaning={STATUSES[status].meaning}>{STATUSES[status].label}</Status>
          </Detail>
          <Detail label="Visibility">{VISIBILITIES[visibility].label}</Detail>
          {tags.length > 0 && (
            <Detail label="Tags">
              <span className="flex flex-wrap gap-4">
                {tags.map((tag) => (
                  <Badge key={tag}>{tag}</Badge>
                ))}
              </span>
            </Detail>
          )}
          <Detail label="Spend">{formatSpend(project.spend)}</Detail>
          <Detail label="Runs">
            <RunsLink projectId={project.id} />
          </Detail>
          <Detail label="Last activity">
            <Time at={project.lastActivityAt} />
          </Detail>
          <Detail label="Project ID">
            <CopyId id={project.id} what="project ID" />
          </Detail>
        </dl>
      </PanelSection>
      {Object.keys(metadata).length > 0 && (
        <PanelSection title="Metadata">
          <Code what="metadata">{JSON.stringify(metadata, null, 2)}</Code>
        </PanelSection>
      )}
      <PanelSection title="Backup">
        <Downloads project={project} />
      </PanelSection>
    </>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-neutral-11">{label}</dt>
      <dd className="col-span-2 min-w-0">{children}</dd>
    </>
  )
}

export const RunsLink = ({ projectId }: { projectId: string }) => (
  <Link to="/runs" search={{ project: projectId }} className="underline hover:text-neutral-12">
    Runs in this project
  </Link>
)
