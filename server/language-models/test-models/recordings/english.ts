import { call, findingParts, type Recording } from './recording.ts'

const FILE = 'interviews.md'
const SUMMARY = 'summary.md'
const AGENT = 'Researcher'
const GROUP = 'Research'

const SUMMARY_TEXT = `# What twelve customers told us

**The subscription should start with choice, not with price.**

1. **Fresh beats cheap.** Nine of twelve would pay two euros more for coffee roasted in the same week.
2. **Skipping matters more than cancelling.** Eight stopped an earlier subscription because bags piled up.
3. **The first bag decides.** Everyone who was happy with it is still a customer.

Next step: test a "skip this month" button with the 40 customers who paused in spring.
`

export const ENGLISH: Recording = {
  project: {
    name: 'Sample: Coffee subscription',
    description: 'Shows how people and agents work together. Delete it whenever you like.',
  },
  agent: { name: AGENT, description: 'Plays a recorded run in the sample project, without a model' },
  file: {
    name: FILE,
    text: `# Interviews, twelve customers

Fernhill Coffee Roasters, October. Each took about 20 minutes.

| Customer | Buys | What they said |
|---|---|---|
| Hanna, nurse | 2 bags a month | "I only notice the price when the coffee is old." |
| Piotr, teacher | 1 bag a month | "I cancelled my last subscription because I had six bags at home." |
| Amara, designer | 3 bags a month | "The first bag was a hit, so I stayed." |
| Luis, cook | 4 bags a month | "Let me skip August and I'm yours for years." |
| Mei, student | 1 bag a month | "Tell me when it was roasted. That's all I want to know." |
| Jonas, engineer | 2 bags a month | "Two euros more is fine if it's fresh." |

## Counted over all twelve

- 9 would pay more for coffee roasted in the same week
- 8 left an earlier subscription because bags piled up
- 7 name the first bag as the reason they stayed
- 2 compare prices
`,
  },
  notes: [
    {
      title: 'Goal',
      content: '**200 subscribers by March**, and at least eight of ten still with us after three months.',
    },
    {
      title: 'Who it is for',
      content: 'People who drink one to four bags a month and care more about freshness than about rarity.',
    },
  ],
  group: GROUP,
  tasks: ['Interview twelve customers', 'Read the findings together', 'Test “skip this month”'],
  work: {
    instructions:
      'Read the interviews with our goal in mind. Add the three most important findings as notes, and save a summary that we can share.',
    parts: [
      [
        { command: 'say', text: 'I’ll read the interviews first.' },
        { command: 'wait', ms: 500 },
        call('read_file', { file: FILE }),
      ],
      ...findingParts({ agent: AGENT, group: GROUP }, [
        {
          title: 'Fresh beats cheap',
          content: '**9 of 12** would pay more for coffee roasted in the same week. Only two compare prices.',
          color: 'green',
          say: 'Freshness comes up in most of them.',
        },
        {
          title: 'Skipping matters',
          content:
            '**8 of 12** left an earlier subscription because bags piled up, not because of the price.',
          color: 'amber',
          say: 'The second pattern is why people left.',
        },
        {
          title: 'The first bag decides',
          content: '**7 of 12** stayed because of the first bag. It deserves our best roast.',
          color: 'blue',
          say: 'And one reason to stay stands out.',
        },
      ]),
      [
        { command: 'wait', ms: 600 },
        { command: 'say', text: 'Now the summary. I ask before I save it.' },
        call('write_file', { name: SUMMARY, text: SUMMARY_TEXT }),
      ],
      [
        { command: 'wait', ms: 400 },
        { command: 'say', text: '**Start with choice, not with price.**' },
        { command: 'say', text: '' },
        { command: 'say', text: '1. **Fresh beats cheap:** 9 of 12 would pay more for this week’s roast.' },
        { command: 'say', text: '2. **Skipping matters:** 8 of 12 left because bags piled up.' },
        { command: 'say', text: '3. **The first bag decides:** 7 of 12 stayed because of it.' },
        { command: 'say', text: '' },
        {
          command: 'say',
          text: 'Next step: test “skip this month” with the 40 customers who paused in spring.',
        },
      ],
    ],
  },
  chat: {
    title: 'Which finding first?',
    question: 'Read the interviews: which finding should we act on first?',
    parts: [
      [
        { command: 'say', text: 'I’ll look at what the twelve customers said.' },
        { command: 'wait', ms: 400 },
        call('read_file', { file: FILE }),
      ],
      [
        { command: 'wait', ms: 400 },
        { command: 'say', text: 'Act on **skipping** first.' },
        { command: 'say', text: '' },
        {
          command: 'say',
          text: 'Eight of twelve customers left an earlier subscription because bags piled up. A “skip this month” button is small to build, and it answers the reason most people left.',
        },
        { command: 'say', text: '' },
        { command: 'say', text: '| Finding | Customers | Effort |' },
        { command: 'say', text: '|---|---|---|' },
        { command: 'say', text: '| Let people skip a month | 8 of 12 | days |' },
        { command: 'say', text: '| Print the roast date on the bag | 9 of 12 | weeks |' },
        { command: 'say', text: '| Send the best roast first | 7 of 12 | none |' },
      ],
    ],
  },
  invoices: {
    group: 'Invoices',
    hint: {
      title: 'Try it: 200 invoices',
      content:
        'Choose **Run from here** on **Check each invoice**. One program checks every row, the next one marks the odd ones and draws a chart. Then open the workflow’s run and choose **Undo changes**.',
    },
    agent: {
      name: 'Bookkeeper',
      description: 'Runs the programs that check invoices in the sample project, without a model',
    },
    file: 'invoices.csv',
    table: 'Invoices',
    columns: {
      number: 'Number',
      supplier: 'Supplier',
      date: 'Date',
      due: 'Due',
      net: 'Net',
      tax: 'Tax',
      total: 'Total',
      check: 'Check',
      reason: 'Reason',
    },
    states: { ok: 'In order', odd: 'Odd' },
    reasons: {
      sum: 'Net and tax don’t add up',
      rate: 'Tax isn’t 20%',
      due: 'Due before its date',
      large: 'Unusually large',
    },
    check: 'Check each invoice',
    mark: 'Mark the odd ones',
    chart: { title: 'Invoices by supplier, in euros', file: 'invoices-by-supplier.svg' },
  },
  otherwise:
    'I only play a recorded example. For a real answer, choose another model here. You connect models under Settings → Models.',
}
