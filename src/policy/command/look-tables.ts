/**
 * The options of the programs that only read. An option that is missing here, or that systems read
 * differently, asks.
 */
import { type Table, tableOf } from './arguments.ts';

export interface Look {
  /** All options, including those named again below. */
  readonly options?: Table;
  /** The options on BSD systems and Macs, in place of `options`. */
  readonly bsd?: Table;
  /** Options that write, start a program, or read a list of files. */
  readonly harmful?: Table;
  /** The first operand is a text, unless one of these options is given. */
  readonly textOptions?: readonly string[];
  /** Options may follow operands, on every system. */
  readonly isPermuting?: true;
  /** Options are whole words. */
  readonly isWhole?: true;
  /** Any further operand would be written to. */
  readonly mostPaths?: number;
  /** Options with which the program reads whole folders. */
  readonly recursive?: Table | 'always';
  /** Options with which it also reads the targets of links in those folders. */
  readonly follows?: Table | 'always';
  /** Options that change which files below the folders it reads. */
  readonly selecting?: Table;
  /** The program is started so that it leaves out files that may hold keys. */
  readonly leavesOut?: true;
  /** The program shows names, dates and sizes, but nothing that a file holds. */
  readonly showsNames?: true;
  /** None of the program's words is a path. */
  readonly isAboutWords?: true;
}

const HELP = '--help --version';

interface Kinds
  extends Omit<Look, 'options' | 'bsd' | 'harmful' | 'recursive' | 'follows' | 'selecting'> {
  readonly selecting?: string;
  readonly bsd?: string;
  readonly harmful?: string;
  readonly recursive?: string | 'always';
  readonly follows?: string | 'always';
}

/** @param plain options that change only how the output looks */
function look(plain: string, kinds: Kinds = {}): Look {
  const { bsd, harmful, recursive, follows, selecting, ...rest } = kinds;
  const isTable = (text: string | undefined): text is string =>
    text !== undefined && text !== 'always';
  const effects = [harmful, recursive, follows, selecting].filter(isTable);
  const tableFor = (text: string | undefined) => (isTable(text) ? tableOf(text) : undefined);
  const given = {
    harmful: tableFor(harmful),
    selecting: tableFor(selecting),
    recursive: recursive === 'always' ? recursive : tableFor(recursive),
    follows: follows === 'always' ? follows : tableFor(follows),
    bsd: bsd === undefined ? undefined : tableOf(bsd, HELP, ...effects),
  };
  const found = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...rest, options: tableOf(plain, HELP, ...effects), ...Object.fromEntries(found) };
}

const WORDS: Look = { isAboutWords: true };
const LISTED = '--files0-from=file';

export const LOOKS: { readonly [program: string]: Look } = {
  ls: look(
    '-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 --all ' +
      '--almost-all --author --escape --block-size=text --color?text --directory --classify?text --file-type ' +
      '--format=text --full-time --group-directories-first --no-group --human-readable --si --hide=text ' +
      '--ignore-backups --ignore=text --indicator-style=text --inode --kibibytes --numeric-uid-gid --literal ' +
      '--hide-control-chars --show-control-chars --quote-name --quoting-style=text --reverse --recursive --size ' +
      '--sort=text --time=text --time-style=text --zero --context --tabsize=number --width=number',
    { showsNames: true },
  ),
  cat: look(
    '-A -b -e -E -n -s -t -T -u -v -l --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs ' +
      '--show-nonprinting',
  ),
  head: look(
    '-# -c=number -n=number -q -v -z --bytes=number --lines=number --quiet --silent --verbose --zero-terminated',
  ),
  tail: look(
    '-# -c=number -n=number -f -F -q -r -s=number -v -z --bytes=number --lines=number --follow?text ' +
      '--max-unchanged-stats=number --pid=number --quiet --silent --retry --sleep-interval=number --verbose ' +
      '--zero-terminated',
  ),
  wc: look('-c -m -l -L -w --bytes --chars --lines --max-line-length --words --total=text', {
    harmful: LISTED,
  }),
  nl: look(
    '-b=text -d=text -f=text -h=text -i=number -l=number -n=text -p -s=text -v=number -w=number ' +
      '--body-numbering=text --section-delimiter=text --footer-numbering=text --header-numbering=text ' +
      '--line-increment=number --join-blank-lines=number --number-format=text --no-renumber ' +
      '--number-separator=text --starting-line-number=number --number-width=number',
  ),
  cmp: look(
    '-b -i=text -l -n=number -s --print-bytes --ignore-initial=text --verbose --bytes=number --quiet --silent',
  ),
  comm: look(
    '-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter=text --total --zero-terminated',
  ),
  stat: look(
    '-L -f -c=text -t --dereference --file-system --cached=text --format=text --printf=text --terse',
    { bsd: '-f=text -t=text -F -l -L -n -q -r -s -x', showsNames: true },
  ),
  file: look(
    '-b -E -F=text -h -i -I -k -L -n -N -0 -p -r -s -v --brief --mime --mime-type --mime-encoding --extension ' +
      '--apple --keep-going --dereference --no-dereference --no-buffer --no-pad --print0 --preserve-date --raw ' +
      '--special-files --separator=text',
    { harmful: '-C --compile -z --uncompress -f=file --files-from=file -m=file --magic-file=file' },
  ),
  du: look(
    '-0 -a -b -B=text -c -D -d=number -H -h -k -l -m -P -S -s -t=number -x --null --all --apparent-size ' +
      '--block-size=text --bytes --total --dereference-args --max-depth=number --human-readable --inodes ' +
      '--count-links --no-dereference --separate-dirs --si --summarize --threshold=number --time?text ' +
      '--time-style=text -X=file --exclude-from=file --exclude=text --one-file-system',
    {
      bsd: '-a -A -B=number -c -d=number -g -H -h -I=text -k -m -P -s -t=number -x',
      harmful: LISTED,
      showsNames: true,
    },
  ),
  tree: look(
    // Some systems read a letter joined to `-P` as another option.
    '-a -d -f -i -x -L+number -P+text -I+text -p -u -g -s -h -D -F -C -n -N -q -Q -t -c -U -r -v -J -X -H+text ' +
      '-T+text -A -S --dirsfirst --filesfirst --noreport --charset=text --filelimit=number --prune --si --du ' +
      '--inodes --device --gitignore --matchdirs --ignore-case --sort?text --timefmt=text --metafirst',
    { harmful: '-o+file -R --fromfile --fromtabfile', showsNames: true },
  ),
  cut: look(
    '-b=text -c=text -d=text -f=text -n -s -w -z --bytes=text --characters=text --delimiter=text --fields=text ' +
      '--complement --only-delimited --output-delimiter=text --zero-terminated',
  ),
  uniq: look(
    '-c -d -D -f=number -i -s=number -u -w=number -z --count --repeated --all-repeated?text --skip-fields=number ' +
      '--group?text --ignore-case --skip-chars=number --unique --zero-terminated --check-chars=number',
    { mostPaths: 1 },
  ),
  // Given two folders, diff compares the files in them even without `-r`.
  diff: look(
    '-# -q -s -c -C=number -u -U=number -e -n -y -W=number -p -F=text -L=text -t -T -r -N -P -x=text -X=file -S=text ' +
      '-i -E -Z -b -w -B -I=text -a -D=text -d -H -v --normal --brief --report-identical-files --context?number ' +
      '--unified?number --ed --rcs --side-by-side --width=number --left-column --suppress-common-lines ' +
      '--show-c-function --show-function-line=text --label=text --expand-tabs --initial-tab --tabsize=number ' +
      '--suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file ' +
      '--ignore-file-name-case --no-ignore-file-name-case --exclude=text --exclude-from=file ' +
      '--starting-file=text --from-file=file --to-file=file --ignore-case --ignore-tab-expansion ' +
      '--ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines ' +
      '--ignore-matching-lines=text --text --strip-trailing-cr --ifdef=text --minimal --horizon-lines=number ' +
      '--speed-large-files --color?text --palette=text',
    {
      recursive: 'always',
      follows: 'always',
      isPermuting: true,
      harmful: '--output=file -l --paginate',
    },
  ),
  sort: look(
    '-b -d -f -g -i -M -h -n -R -r -V -c -C -k=text -m -s -S=text -t=text -u -z --ignore-leading-blanks ' +
      '--dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort ' +
      '--human-numeric-sort --numeric-sort --random-sort --random-source=file --reverse --sort=text ' +
      '--version-sort --batch-size=number --check?text --debug --key=text --merge --stable --buffer-size=text ' +
      '--field-separator=text --parallel=number --unique --zero-terminated',
    {
      isPermuting: true,
      harmful: `-o=file --output=file --compress-program=file -T=file --temporary-directory=file ${LISTED}`,
    },
  ),
  grep: look(
    '-# -E -F -G -P -e=text -f=file -i -y -w -x -z -s -v -V -m=number -b -n -H -h -o -q -a -I -L -l -c -T -Z -B=number ' +
      '-A=number -C=number -U -D=text --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp=text ' +
      '--file=file --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages ' +
      '--invert-match --max-count=number --byte-offset --line-number --line-buffered --with-filename ' +
      '--no-filename --label=text --only-matching --quiet --silent --binary-files=text --text --devices=text ' +
      '--include=text --exclude=text --exclude-from=file --exclude-dir=text --files-without-match ' +
      '--files-with-matches --count --initial-tab --null --before-context=number --after-context=number ' +
      '--context:number --group-separator:text --no-group-separator --color?text --colour?text --binary',
    {
      textOptions: ['-e', '--regexp', '-f', '--file'],
      isPermuting: true,
      recursive: '-r -R --recursive --dereference-recursive -d=text --directories=text',
      follows: '-R --dereference-recursive',
    },
  ),
  rg: look(
    '-A=number -B=number -C=number -b -s -c -E=text -f=file -l -F -i -v -n -x -M=number -m=number -U -I -N -0 -o -P ' +
      '-p -q -e=text -r=text -S -a -j=number -V -H -w -h --after-context=number --before-context=number ' +
      '--context=number --byte-offset --case-sensitive --color=text --colors=text --column ' +
      '--context-separator=text --no-context-separator --count --count-matches --crlf --no-crlf --debug ' +
      '--dfa-size-limit=text --encoding=text --engine=text --field-context-separator=text ' +
      '--field-match-separator=text --file=file --files --files-with-matches --files-without-match ' +
      '--fixed-strings --no-fixed-strings --heading --no-heading --ignore-case --include-zero --invert-match --json ' +
      '--line-buffered --line-number --no-line-number --line-regexp --max-columns=number --max-columns-preview ' +
      '--max-count=number --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-filename ' +
      '--no-ignore-messages --no-messages --no-unicode --null --null-data --only-matching --passthru ' +
      '--path-separator=text --pcre2 --pcre2-version --pretty --quiet --regex-size-limit=text --regexp=text ' +
      '--replace=text --smart-case --sort=text --sortr=text --stats --text --threads=number --trim --type-list ' +
      '--vimgrep --with-filename --word-regexp',
    {
      textOptions: ['-e', '--regexp', '-f', '--file', '--files', '--type-list'],
      isPermuting: true,
      leavesOut: true,
      recursive: 'always',
      follows: '-L --follow',
      selecting:
        '-g=text -. -t=text -T=text -u --glob=text --glob-case-insensitive --hidden --no-hidden --iglob=text ' +
        '--ignore-file=file --ignore-file-case-insensitive --max-depth=number --max-filesize=text --no-config ' +
        '--no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent ' +
        '--no-ignore-vcs --no-require-git --one-file-system --type=text --type-add=text --type-clear=text ' +
        '--type-not=text --unrestricted',
      harmful: '--pre=file --pre-glob=text --hostname-bin=file -z --search-zip',
    },
  ),
  find: look(
    '-P -H -name=text -iname=text -path=text -ipath=text -wholename=text -iwholename=text -regex=text -iregex=text ' +
      '-regextype=text -lname=text -ilname=text -type=text -xtype=text -perm=text -printf=text -mtime=text -mmin=text ' +
      '-atime=text -amin=text -ctime=text -cmin=text -size=text -maxdepth=number -mindepth=number -user=text ' +
      '-group=text -uid=text -gid=text -links=text -inum=text -fstype=text -newer=file -anewer=file -cnewer=file ' +
      '-newermt=text -newerat=text -newerct=text -samefile=file -and -a -or -o -not -true -false -print -print0 -ls ' +
      '-prune -quit -depth -d -mount -xdev -empty -readable -writable -executable -nouser -nogroup -daystart -noleaf ' +
      '-ignore_readdir_race -warn -nowarn',
    {
      isWhole: true,
      isPermuting: true,
      showsNames: true,
      harmful:
        '-delete -follow -L -fprint=file -fprint0=file -fprintf=file -fls=file -files0-from=file',
    },
  ),
  which: WORDS,
  pwd: WORDS,
  echo: WORDS,
  true: WORDS,
  false: WORDS,
  exit: WORDS,
  basename: WORDS,
  dirname: WORDS,
};
