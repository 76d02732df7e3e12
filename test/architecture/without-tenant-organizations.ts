/** Queries of operators and jobs on whole organizations. */
export const ORGANIZATIONS_WITHOUT_TENANT = [
  {
    file: 'server/features/organizations/operated/queries.ts',
    reason: 'operators work across organizations',
    functions: ['listRows', 'findRow'],
  },
  {
    file: 'server/features/organizations/operated/figures.ts',
    reason: 'a job counts what all organizations use',
    functions: ['listOutdated'],
  },
  {
    file: 'server/features/organizations/lifecycle/export/export-queries.ts',
    reason: 'a job removes the expired exports of all organizations, and ends those without a job',
    functions: ['listExpired', 'updateAbandoned'],
  },
  {
    file: 'server/features/organizations/lifecycle/erase/erasure-queries.ts',
    reason: 'operators list the erasures of all organizations, and a job begins those that are due',
    functions: ['listErasures', 'beginDue', 'listRunning'],
  },
]
