/** What a server of Restate keeps, as it shows it to operators: on its disk it is compressed. */
const TABLES = ['state', 'sys_journal', 'sys_journal_events', 'sys_invocation', 'sys_inbox'];

/** Whether a text is anywhere in it. @param admin the address of its admin port */
export async function engineKeeps(admin: string, text: string): Promise<boolean> {
  const hex = Buffer.from(text).toString('hex');
  const kept = await Promise.all(
    TABLES.map(async (table) => {
      const answer = await fetch(`${admin}/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query: `SELECT * FROM ${table}` }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.text();
    }),
  );
  return kept.some((all) => all.includes(text) || all.includes(hex));
}
