import type { Sql } from '../../../../database/database.ts'

interface WorkflowRun {
  orgId: string
  id: string
  projectId: string
  createdBy: string
  status: string
}

/** Null if the run is not a workflow. */
export async function findWorkflow(sql: Sql, orgId: string, runId: string): Promise<WorkflowRun | null> {
  const [row] = await sql<WorkflowRun[]>`
    select org_id as "orgId", id, project_id as "projectId", created_by as "createdBy", status from runs
    where org_id = ${orgId} and id = ${runId} and kind = 'workflow'`
  return row ?? null
}
