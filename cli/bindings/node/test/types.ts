// index.d.ts as a user compiles it.
import { lint, type Finding, type Report } from 'xdscope';

export async function errors(yaml: string): Promise<Finding[]> {
  const report: Report = await lint([{ name: 'a.yaml', content: yaml }], { clients: ['go@1.72'], partial: true });
  return report.findings.filter((finding) => finding.level === 'error');
}
