"""What the debugger says in Chinese, by the English sentence. Names of operators and tensors stay as they are."""

CHINESE: dict[str, str] = {
    # cards
    "moved by {distance}": "移动了 {distance}",
    "the end": "结束",
    "(no gradient)": "（无梯度）",
    "next": "下一步",
    # why
    "{name}.forward is the user's own code: `step` goes into it": (
        "{name}.forward 是用户自己的代码：用 `step` 进入"
    ),
    "{name}.backward is the user's own code: `step` goes into it": (
        "{name}.backward 是用户自己的代码：用 `step` 进入"
    ),
    "kept for backward: {names}": "为反向保留：{names}",
    "the gradient of this is not recorded: backward records only with create_graph=True": (
        "这一步不记录计算图：反向过程只有在 create_graph=True 时才记录"
    ),
    "nothing is recorded here: no input wants a gradient (stop_gradient)": (
        "这里不记录计算图：没有输入需要梯度（stop_gradient）"
    ),
    "nothing is recorded here: {op} has no gradient": "这里不记录计算图：{op} 没有梯度",
    "nothing is recorded here though {names} wants a gradient: stop_gradient was set to True later, or "
    "paddle.no_grad was on": (
        "{names} 需要梯度，但这里没有记录计算图：stop_gradient 后来被设为 True，或处于 paddle.no_grad 中"
    ),
    "what came in goes to the elements [{index}] that were read; the others get zero": (
        "传入的梯度放回被读取的元素 [{index}]，其余元素的梯度为零"
    ),
    "{name} stands there {count} times: a gradient for each, added next": (
        "{name} 在这里出现了 {count} 次：每次各得一个梯度，接下来相加"
    ),
    "a sum changes by as much as any element of {name}: each gets {gradient}": (
        "{name} 的任一元素变化多少，和就变化多少：每个元素都得到 {gradient}"
    ),
    "{size} elements share in the mean: each gets {gradient} / {size}": (
        "{size} 个元素求平均：每个元素得到 {gradient} / {size}"
    ),
    "the probability that softmax gives, minus 1 at the label: what was predicted less what is true": (
        "softmax 给出的概率，在标签处减 1：即预测值减去真实值"
    ),
    "(arange(...) == {label}) is 1 at the label and 0 elsewhere": "(arange(...) == {label}) 在标签处为 1，其他处为 0",
    "only the element that was taken gets the gradient: the others could change, and {out} would not": (
        "只有被取出的元素得到梯度：其他元素变化时，{out} 不变"
    ),
    "{count} of {size} elements were dropped: no gradient passes there": (
        "{size} 个元素中有 {count} 个被丢弃：梯度不从那里通过"
    ),
    "{count} of {size} elements are saturated: {op} is nearly flat there, and lets little gradient pass": (
        "{size} 个元素中有 {count} 个已饱和：{op} 在那里几乎是平的，只有很少的梯度能通过"
    ),
    "paddle.grad returns this gradient of {name}; {name}.grad stays as it is": (
        "paddle.grad 返回 {name} 的这个梯度；{name}.grad 保持不变"
    ),
    "a hook": "一个钩子",
    "{name}.forward is not recorded: {name}.backward says what its gradient is": (
        "{name}.forward 内部不记录计算图：它的梯度由 {name}.backward 给出"
    ),
    "{name} runs as a whole: what happens inside was not recorded (a Program of to_static, or an earlier call)": (
        "{name} 作为一个整体运行：内部没有记录（to_static 生成的 Program，或更早的调用）"
    ),
    "a block of the Program begins: {what}": "Program 的一个 block 开始：{what}",
    "nothing needs to be kept for backward": "反向不需要保留任何值",
    "the forward call of this gradient was not recorded": "这个梯度对应的前向调用没有被记录",
    "{name} gets none: {cut} wants a gradient, but {op} ({where}) does not record it: {cut}.stop_gradient was "
    "set to True, or paddle.no_grad was on": (
        "{name} 没有梯度：{cut} 需要梯度，但 {op}（{where}）没有记录它："
        "{cut}.stop_gradient 被设为 True，或处于 paddle.no_grad 中"
    ),
    "{name} gets none: stop_gradient": "{name} 没有梯度：stop_gradient",
    "{name} gets none: stop_gradient ({op}, {where})": "{name} 没有梯度：stop_gradient（{op}，{where}）",
    "ctx.saved_tensor() gave back {names}, kept by forward": "ctx.saved_tensor() 取回了前向保留的 {names}",
    "{name} = {name} so far + what just arrived": "{name} = 之前的 {name} + 刚到达的梯度",
    "{name} was used more than once{used}, so the gradients that come back are added": (
        "{name} 被使用了不止一次{used}，因此返回的梯度要相加"
    ),
    "{name} is a leaf: its gradient stays here ({note})": "{name} 是叶子节点：它的梯度留在这里（{note}）",
    "first write": "首次写入",
    "added to what was there": "累加到已有的梯度上",
    "the user's own code begins: {what}, which receives {names}": "用户自己的代码开始：{what}，收到 {names}",
    "the user's own code begins: {what}": "用户自己的代码开始：{what}",
    "{hook} replaced {name} before it came here": "{name} 到达这里之前被{hook}替换了",
    "backward starts here, with {name} = 1": "反向从这里开始，{name} = 1",
    "backward starts here, with the {name} that it was given": "反向从这里开始，使用给定的 {name}",
    "{name} {shape} was broadcast to {wide}, so its gradient is summed over axis {axes} (unbroadcast)": (
        "{name} {shape} 被广播成 {wide}，因此它的梯度沿轴 {axes} 求和（unbroadcast）"
    ),
    "{op} passes the gradient on to {name} as it is": "{op} 把梯度原样传给 {name}",
    "chain rule: how {op} changes with {name}, times {gradient}": (
        "链式法则：{op} 对 {name} 的导数，乘以 {gradient}"
    ),
    "{count} of {size} elements become zero: there {name} was not positive, and relu is flat": (
        "{size} 个元素中有 {count} 个变为零：那里 {name} 不为正，relu 是平的"
    ),
    "{count} of {size} elements become zero: there, {op} does not change with {name}": (
        "{size} 个元素中有 {count} 个变为零：那里 {op} 不随 {name} 变化"
    ),
    # why, in a Program
    "a block of the Program begins: {what}; it works on {names}": "Program 的一个 block 开始：{what}；它处理 {names}",
    "{name} returned this gradient: py_func takes what it returns, right or wrong": (
        "{name} 返回了这个梯度：py_func 照单全收，不论对错"
    ),
    "{name} is the user's own Python: every run calls it with arrays": (
        "{name} 是用户自己的 Python：每次运行都用数组调用它"
    ),
    "block {number} ran, which backward_fn filled: what it computes is the gradient, right or wrong": (
        "运行了由 backward_fn 填充的 block {number}：它算出什么，梯度就是什么，不论对错"
    ),
    "block {number} ran, which forward_fn filled: `step` goes into it": (
        "运行了由 forward_fn 填充的 block {number}：用 `step` 进入"
    ),
    "the branch had run, so block {number} ran: its gradient": "该分支运行过，因此运行了 block {number}：它的梯度",
    "the branch had not run: no gradient comes from it, only zeros": "该分支没有运行：它不产生梯度，只有零",
    "{name} is true, so block {number} ran": "{name} 为真，因此运行了 block {number}",
    "{name} is false: the block did not run": "{name} 为假：该 block 没有运行",
    "the loop ran no iteration": "循环一次也没有运行",
    "block {number} ran {count} times, from the last iteration to the first; what the loop only read gets the sum over "
    "all iterations": "block {number} 运行了 {count} 次，从最后一次迭代到第一次；循环只读取的变量得到所有迭代之和",
    "block {number} ran {count} times: `step` goes into it": "block {number} 运行了 {count} 次：用 `step` 进入",
    "the gradient goes to what was taken, as {names}": "梯度流向被选中的结果，即 {names}",
    "the branch that ran made {names}": "运行过的分支产生了 {names}",
    "this is the whole gradient of {name}; fetch_list=[{names!r}]": (
        "这是 {name} 的全部梯度；fetch_list=[{names!r}]"
    ),
    # check
    "missing factor {factor}": "缺少因子 {factor}",
    "no gradient arrives: it is zero or missing": "没有梯度到达：为零或缺失",
    "wrong sign": "符号错误",
    "transposed: one of the two matrices that are multiplied": "转置有误：相乘的两个矩阵之一",
    "a sum over a broadcast axis is missing (un-broadcast): one slice of it was taken": (
        "缺少对广播轴的求和（un-broadcast）：只取了其中一片"
    ),
    "transposed": "转置了",
    "{offset} is missing everywhere": "处处缺少 {offset}",
    "this is the gradient of {name}: two inputs are mixed up": "这是 {name} 的梯度：两个输入弄混了",
    "missing factor {factor}, as many as an axis has elements: a sum over a broadcast axis is missing (un-broadcast), "
    "or a mean stands for a sum": (
        "缺少因子 {factor}，恰是某个轴的长度：缺少沿广播轴的求和（un-broadcast），或用均值代替了求和"
    ),
    "{factor} times too large, as many as an axis has elements: a division by the size is missing": (
        "大了 {factor} 倍，恰是某个轴的长度：缺少除以元素个数"
    ),
    "factor {factor} too much": "多了因子 {factor}",
    "the term {name} is missing": "缺少项 {name}",
    "the term {name} is too much": "多了项 {name}",
    "{count} elements, worst difference {gap}": "{count} 个元素，最大差异 {gap}",
    "d {spot}: {analytic} was computed, {numeric} is right": "d {spot}：计算得 {analytic}，应为 {numeric}",
    "nothing to check: this is no gradient of an operator or PyLayer": (
        "无可检查：这不是算子或 PyLayer 的梯度"
    ),
    "moving all elements at once shows it; which one is wrong was not searched for": (
        "同时移动所有元素时才看得出；没有再查找是哪一个元素出错"
    ),
    "at a kink, or not finite": "位于折点，或不是有限数",
    "the numbers of {name} were not kept": "{name} 的数值没有保留",
    "{name}.forward computes outside of paddle's operators (NumPy, say), and a recording holds no code to run again: "
    "check the script itself, `minipaddle check SCRIPT`": (
        "{name}.forward 在 paddle 算子之外计算（例如用 NumPy），而记录文件中没有可以重新运行的代码："
        "请直接检查脚本，`minipaddle check SCRIPT`"
    ),
    "{count} gradients checked": "检查了 {count} 个梯度",
    "{count} wrong": "{count} 个错误",
    "{count} unsure": "{count} 个无法确定",
    "{count} unchecked": "{count} 个未检查",
    "this recording knows nothing of the values (--values none)": "这个记录不含数值信息（--values none）",
    # change
    "fork {number}: {said}; {changes}": "分支 {number}：{said}；{changes}",
    "{count} values changed": "{count} 个值改变",
    "1 value changed": "1 个值改变",
    "which fork? `forks` lists them": "哪个分支？用 `forks` 列出",
    "set what? NAME = EXPR": "设置什么？NAME = EXPR",
    "... and {count} more": "…… 还有 {count} 个",
    "norm {norm}": "范数 {norm}",
    "nothing differs": "没有差异",
    "{name}: what it computes outside of paddle's operators (NumPy, say)": (
        "{name}：它在 paddle 算子之外（例如用 NumPy）计算的内容"
    ),
    "not run again: {what}": "没有重新运行：{what}",
    "{name} set at event {position}": "在事件 {position} 设置 {name}",
    "the recording": "原记录",
    "forks are numbered 0 to {last}": "分支编号为 0 到 {last}",
    "{name} is {dtype} {shape}, and that does not fit: {error}": (
        "{name} 是 {dtype} {shape}，给出的值不合适：{error}"
    ),
    "{name} is not made yet": "{name} 还没有产生",
    # look
    "print what? the name of a value, or an expression": "打印什么？值的名字，或表达式",
    "which tensor? NAME, or NAME[1:3, :]": "哪个张量？NAME，或 NAME[1:3, :]",
    "wrote {path}": "已写入 {path}",
    "a tensor is saved as .npy: --save {path}.npy": "张量保存为 .npy：--save {path}.npy",
    "no line of the user's is behind this event": "这个事件没有对应的用户代码行",
    "the source of {file} is not at hand": "找不到 {file} 的源代码",
    "no values here": "这里没有值",
    "{name} is not displayed": "{name} 没有被显示",
    "{name} is nothing": "{name} 是空的",
    "nothing is displayed": "没有显示任何值",
    "tensor has --hist, --heat, --stats and --save FILE, not {word}": (
        "tensor 有 --hist、--heat、--stats 和 --save FILE，没有 {word}"
    ),
    "no element is finite": "没有有限的元素",
    "{count} elements are not finite": "{count} 个元素不是有限数",
    "of the absolute values:": "绝对值：",
    "it is empty": "它是空的",
    "not finite": "非有限数",
    "values here: {names}": "这里的值：{names}",
    # understand
    "d output / d {name}: {rows} x {columns}": "d 输出 / d {name}：{rows} x {columns}",
    "{seed} times the Jacobian for {name}": "{seed} 乘以 {name} 的雅可比矩阵",
    "there is no incoming gradient here: vjp is for the events of backward": (
        "这里没有传入的梯度：vjp 用于反向的事件"
    ),
    "{name} differs from it by {gap} at most": "{name} 与它最多相差 {gap}",
    "there is no operator here to differentiate": "这里没有可以求导的算子",
    "it has {count} inputs of floats, numbered from 0": "它有 {count} 个浮点输入，从 0 开始编号",
    "the Jacobian has {size} entries; up to {most} are shown": (
        "雅可比矩阵有 {size} 个元素；最多显示 {most} 个"
    ),
    "there was no backward pass": "没有反向过程",
    "name '{name}' is not defined": "名称 '{name}' 没有定义",
    "the numbers of {name} are not known": "{name} 的数值未知",
    "(not known)": "（未知）",
    "{path} is being run already: it would never end": "{path} 正在运行：那样永远不会结束",
    "{path}: files that run files, {count} deep": "{path}：文件运行文件，已有 {count} 层",
    "{name} would stand for itself": "{name} 会代表它自己",
    "{count} events that need what these would have given": "{count} 个需要以上结果的事件",
    "{name} has changed, and what runs then was not recorded": "{name} 变了，而那时会运行的内容没有录下",
    "{name}: operators of paddle did not make what the hook returned": "{name}：钩子返回的不是 paddle 算子算出的",
    "relative difference {gap}": "相对差异 {gap}",
    "only on {engine}": "只在 {engine} 上有",
    "{count} arrays compared, {different} differ": "比较了 {count} 个数组，{different} 个不同",
    "minipaddle and Paddle draw other random numbers: dropout, shuffling, paddle.rand differ": (
        "minipaddle 与 Paddle 的随机数不同：dropout、打乱次序、paddle.rand 的结果不会一致"
    ),
    "given: {what}": "给定的值：{what}",
    "{made} (only in {which})": "{made}（只在 {which} 中）",
    "the structure is the same; values and gradients that differ: {count}": "结构相同；有差异的值和梯度：{count} 个",
    "structure: {what}; values and gradients that differ: {count}": "结构：{what}；有差异的值和梯度：{count} 个",
    # words that stand alone in tables
    "op": "算子",
    "grad op": "梯度算子",
    "for": "对象",
    "shape": "形状",
    "rms": "rms",
    "max": "max",
    "vs before": "与前比",
    "verdict": "判断",
    "where": "代码",
    "state": "状态",
    "elements": "元素",
    "note": "说明",
    "rule": "公式",
    "numbers": "代入",
    "ok": "正常",
    "vanishing": "消失",
    "exploding": "爆炸",
    "dead": "全为零",
    "frozen": "冻结",
    "unused": "未使用",
    "unknown": "未知",
    "not taken": "未执行",
    "born": "产生",
    "given": "传入",
    "spread": "传播",
    "masked": "被遮盖",
    "healed": "已消除",
    "removed": "只在 A",
    "added": "只在 B",
    "value": "值",
    "gradient": "梯度",
    "{counts} of {size}": "{counts}（共 {size} 个）",
    # flow and nan
    "pass {number}: {count} parameters, {what}": "第 {number} 次反向：{count} 个参数，{what}",
    "pass {number}: no gradient flowed": "第 {number} 次反向：没有梯度流动",
    "pass {number}: {count} parameters, all well": "第 {number} 次反向：{count} 个参数，一切正常",
    "starts here ({op}, {where})": "从这里开始（{op}，{where}）",
    "no NaN and no Inf in {count} events": "{count} 个事件中没有 NaN，也没有 Inf",
    "it reaches {names}": "它到达了 {names}",
    "it reaches no loss, no gradient of a leaf and no parameter": "它没有到达损失、叶子的梯度或参数",
    "a mask hides a value, not its gradient: backward sends 0 there, and 0 * inf is NaN. Mask the input too "
    "(the double-where trick): where(ok, f(where(ok, x, 1)), 0); `help double-where` in step explains it": (
        "遮罩挡得住值，挡不住梯度：反向把 0 传到那里，而 0 * inf 是 NaN。输入也要遮住（double-where 技巧）："
        "where(ok, f(where(ok, x, 1)), 0)；step 中的 `help double-where` 有解释"
    ),
    "made in its body": "在它的函数体内产生",
    "{name} came with it into the recording": "{name} 带着它进入了记录",
    "more elements than before": "元素比之前更多",
    "{name} is finite again": "{name} 又是有限的了",
    # stop
    "stop at what? `help spec` lists the terms": "停在哪里？`help spec` 列出条件",
    "{arg} is no number": "{arg} 不是数字",
    "{number} is no number": "{number} 不是数字",
    "(ignored {count} times)": "（忽略 {count} 次）",
    "there is no breakpoint {number}": "没有断点 {number}",
    "deleted breakpoint {number}": "已删除断点 {number}",
    "deleted all breakpoints": "已删除所有断点",
    "ignore which breakpoint, how often? ignore N K": "忽略哪个断点，多少次？ignore N K",
    "there is no {name}": "没有 {name}",
    "no breakpoints": "没有断点",
    "watch what? the name of a value": "监视什么？值的名字",
    "terms are {terms}": "条件有 {terms}",
    "stop at what? one or more of {terms}": "停在哪里？以下的一个或多个：{terms}",
    "there are {names}": "有 {names}",
    "there are none": "一个也没有",
    "nothing matches {kind}:{pattern}; {there}": "没有与 {kind}:{pattern} 匹配的；{there}",
    "{word} needs a name or a number after the colon": "{word} 的冒号后需要名字或数字",
    "no such term: {word}": "没有这样的条件：{word}",
    "do you mean {names}?": "您是指 {names} 吗？",
    # move
    "how often? {arg} is not a positive number": "多少次？{arg} 不是正整数",
    "goto where? a number, or the name of a value": "去哪里？事件编号，或值的名字",
    "nothing uses what is made here": "没有事件使用这里产生的值",
    "what is used here was there before the recording began": "这里使用的值在记录开始之前就有了",
    "the recording ends within the user's own code: `step` goes into it": (
        "记录在用户自己的代码里结束：用 `step` 进入"
    ),
    "nothing was recorded: the script applied no operator": "没有记录任何内容：脚本没有调用算子",
    "the cursor is in no body to leave": "光标不在任何函数体内",
    "no event makes a value called {name}": "没有事件产生名为 {name} 的值",
    "this is the end of the recording": "这是记录的结尾",
    "this is the beginning of the recording": "这是记录的开头",
    ": it was there before": "：它之前就存在",
    "events are numbered 0 to {last}": "事件编号为 0 到 {last}",
    # session and help
    "record where? FILE.mpt": "保存到哪里？FILE.mpt",
    "run which file?": "运行哪个文件？",
    "the name of a recording ends with .mpt": "记录的文件名以 .mpt 结尾",
    "export what, and where? json FILE, or html FILE": "导出什么，到哪里？json FILE，或 html FILE",
    "{name} stands for nothing": "{name} 没有代表任何命令",
    "which Python?": "什么 Python 语句？",
    "; do you mean {names}?": "；您是指 {names} 吗？",
    "; try help": "；试试 help",
    "SPEC: {terms}; `help spec` explains them": "SPEC：{terms}；`help spec` 有解释",
    "no command {word}": "没有命令 {word}",
    "move": "移动",
    "stop": "停点",
    "look": "查看",
    "understand": "理解",
    "change": "改变",
    "session": "会话",
    # what the commands do
    "Fork: NAME = EXPR here, and run again what follows with it. The recording is not changed.": (
        "分支：在此处令 NAME = EXPR，并用它重新运行之后的部分。原记录不变。"
    ),
    "The recording and its forks.": "原记录和它的分支。",
    "Look at fork K (0 is the recording).": "查看分支 K（0 是原记录）。",
    "What differs between fork K (0, the recording) and the one that is looked at.": (
        "分支 K（0，原记录）与当前分支的差异。"
    ),
    "A value by its name (W, W@GRAD, W.grad), or a Python expression over values.": (
        "按名字显示值（W、W@GRAD、W.grad），或对值求 Python 表达式。"
    ),
    "Statistics, histogram or heat map of NAME or a part of it, or save it: NAME[1:3] --hist --heat --save F.": (
        "NAME 或其一部分的统计、直方图或热图，或保存：NAME[1:3] --hist --heat --save F。"
    ),
    "The events around the cursor.": "光标附近的事件。",
    "The chain from here to the loss.": "从这里到损失的链。",
    "The lines of the script around the one that is behind this event.": "这个事件对应的脚本行及其前后。",
    "The values that the code around the cursor has made or received.": "光标所在代码产生或收到的值。",
    "Show NAME (or an expression) at every stop, with how it changed; without it, all of them now.": (
        "每次停下时显示 NAME（或表达式）及其变化；不带参数则现在全部显示。"
    ),
    "Show NAME no longer; without it, nothing.": "不再显示 NAME；不带参数则全部不再显示。",
    "Save what is looked at (the recording, or a fork) as FILE.mpt.": "把当前的记录或分支保存为 FILE.mpt。",
    "Write all stops as JSON lines (json FILE), or a page of the backward pass (html FILE).": (
        "把所有停点写成 JSON 行（json FILE），或写成反向过程的网页（html FILE）。"
    ),
    "Carry out the commands in FILE, one a line.": "执行 FILE 中的命令，每行一条。",
    "Let NAME stand for a COMMAND; without them, list what stands for what.": (
        "让 NAME 代表 COMMAND；不带参数则列出。"
    ),
    "Run Python: ! followed by a statement. The values here have their names; what it binds stays.": (
        "运行 Python：! 后跟语句。这里的值可按名字使用；赋值会保留。"
    ),
    "End the session.": "结束会话。",
    "What there is to say.": "可用的命令。",
    "Go to the next event, into the user's own code too.": "到下一个事件，也进入用户自己的代码。",
    "Go to the next event, over the user's own code.": "到下一个事件，越过用户自己的代码。",
    "Leave the user's own code that the cursor is in.": "离开光标所在的用户代码。",
    "Go to the next breakpoint, or to the end.": "到下一个断点，或到结尾。",
    "Go to the event before; what is shown is what was shown there.": (
        "回到前一个事件；显示的内容与当时相同。"
    ),
    "Go back to the last breakpoint, or to the beginning.": "回到上一个断点，或回到开头。",
    "Go to event N, to the next event that makes NAME, or to either end.": (
        "到事件 N、到下一个产生 NAME 的事件，或到两端。"
    ),
    "Go to the first event.": "到第一个事件。",
    "Go to the last event.": "到最后一个事件。",
    "Go to the event that uses what this one made.": "到使用本事件结果的事件。",
    "Go to the event that made what this one uses.": "到产生本事件输入的事件。",
    "Let continue stop wherever SPEC holds; without SPEC, list the breakpoints.": (
        "让 continue 停在 SPEC 成立处；不带参数则列出断点。"
    ),
    "A breakpoint that is gone after the first stop.": "只停一次的断点。",
    "Stop wherever NAME is made anew.": "每当 NAME 重新产生时停下。",
    "Delete breakpoint N, or all of them.": "删除断点 N，或全部断点。",
    "Let breakpoint N not stop the next K times.": "让断点 N 在接下来 K 次不停。",
    "The breakpoints.": "断点列表。",
    "The formula of the rule, the formula with this node's numbers, and a plain sentence.": (
        "规则的公式、代入本节点数值的公式，以及一句说明。"
    ),
    "How each element of the output changes with each element of input I (the first).": (
        "输出的每个元素如何随输入 I（第一个）的每个元素变化。"
    ),
    "The incoming gradient times the Jacobian for input I, beside the gradient that was computed.": (
        "传入的梯度乘以输入 I 的雅可比矩阵，与计算得到的梯度并列。"
    ),
    "Compare the gradient here with how the output really changes.": "把这里的梯度与输出的真实变化作比较。",
    "The sizes of the gradients of this backward pass, culprits first.": (
        "这次反向过程各梯度的大小，问题所在排在最前。"
    ),
    "Where a NaN or an Inf is born, spreads, is masked or heals.": (
        "NaN 或 Inf 在哪里产生、传播、被遮住或消失。"
    ),
    "The graph of the backward pass that the cursor is in or before.": "光标所在（或之后）的反向过程的图。",
    "Draw the backward pass that the cursor is in or before, into FILE: .svg .png .pdf .dot .html ...": (
        "把光标所在（或之后）的反向过程画到 FILE：.svg .png .pdf .dot .html ……"
    ),
    "op:matmul*     an operator, by the name on its card": "op:matmul*     算子，按卡片上的名字",
    "var:fc1.w      what makes this value or its gradient": "var:fc1.w      产生这个值或其梯度的事件",
    "line:14        what a line of the script did; line:train.py:14": (
        "line:14        脚本某一行所做的；line:train.py:14"
    ),
    "pylayer:Cus*   the call of a PyLayer, and what runs in it": (
        "pylayer:Cus*   PyLayer 的调用，以及其中运行的"
    ),
    "block:2        what runs in a sub-block of a Program": "block:2        Program 的子块中运行的",
    "what Python makes of {name}: it is called as a whole": "Python 用 {name} 算出的值：函数只能整体调用",
    "a line of {name}, which is the user's own Python": "{name} 的一行，是用户自己的 Python 代码",
    "iteration:3    what runs in that iteration of a Program's loop": "iteration:3    Program 的循环在该次迭代中运行的",
    "pass:2         the second backward pass; also the words forward, backward": (
        "pass:2         第二次反向；也可用 forward、backward"
    ),
    "nan inf zero   an output has a NaN, an Inf, or is all zero": (
        "nan inf zero   某个输出含 NaN、含 Inf 或全为零"
    ),
    "norm>10        also rms, max, min, mean, zeros, size; with > >= < <=": (
        "norm>10        也可用 rms、max、min、mean、zeros、size；以及 > >= < <="
    ),
    "if EXPR        Python over g, x, out, norm, rms, max, has_nan, np and the names of values": (
        "if EXPR        Python 表达式，可用 g、x、out、norm、rms、max、has_nan、np 和值的名字"
    ),
    "Several terms: all must hold. * and ? stand for any characters.": (
        "多个条件：必须都成立。* 和 ? 代表任意字符。"
    ),
    "no help about {word}": "没有关于 {word} 的帮助",
    "topics of help: {topics}": "帮助主题：{topics}",
    # topics of help
    "W              a value goes by the name of the script's variable, or of the layer's parameter: fc1.weight": (
        "W              值用脚本中的变量名称呼，或用层的参数名：fc1.weight"
    ),
    "W@GRAD         its gradient on the way: what one operator sent back, or the sum of such": (
        "W@GRAD         途中的梯度：某个算子传回的，或若干个之和"
    ),
    "W.grad         what arrived at a leaf and stays there, over several passes too": (
        "W.grad         到达叶子节点并留在那里的梯度，可跨多次反向累加"
    ),
    "matmul_3       what has no variable is called after its operator and the event that made it": (
        "matmul_3       没有变量名的值，用算子名和产生它的事件编号称呼"
    ),
    "v7             data that the script gave no name": "v7             脚本没有命名的数据",
    "A name stands for the latest value so called at the cursor; before the first there is, for that one.": (
        "名字代表光标处最近的同名值；在第一个产生之前，代表第一个。"
    ),
    "Where an expression needs a Python name, W@GRAD is written as it stands: print W@GRAD / 2": (
        "在表达式中 W@GRAD 照写即可：print W@GRAD / 2"
    ),
    "What if this number were another? `set NAME = EXPR` changes it at the cursor, in a copy of the recording.": (
        "如果这个数是另一个值会怎样？`set NAME = EXPR` 在光标处改变它，改的是记录的副本。"
    ),
    "What depends on it and comes after is run again, operator by operator; the script is not run.": (
        "之后依赖它的部分逐个算子重新运行；脚本本身不再运行。"
    ),
    "Which way the script's own `if` and `while` went is part of the recording, and stays.": (
        "脚本自己的 `if` 和 `while` 走了哪条路是记录的一部分，不会改变。"
    ),
    "`forks` lists the copies, `switch K` looks at one (0 is the recording), `diff K` shows what differs.": (
        "`forks` 列出副本，`switch K` 查看其中一个（0 是原记录），`diff K` 显示差异。"
    ),
    "for example:   goto h    set h = h * 0    goto end    diff": (
        "例如：         goto h    set h = h * 0    goto end    diff"
    ),
    "With --json every answer is one JSON object on its own line; what the script prints goes to standard error.": (
        "使用 --json 时每个回答是单独一行的 JSON 对象；脚本打印的内容写到标准错误。"
    ),
    "a stop         i kind op type phase pass depth src at in out note hits display rule numbers says": (
        "停点           i kind op type phase pass depth src at in out note hits display rule numbers says"
    ),
    "a value        name shape dtype stats data (the numbers, if they are few)": (
        "值             name shape dtype stats data（数值，如果不多）"
    ),
    'an error       {"error": text}; the exit code is then 2': '错误           {"error": text}；此时退出码为 2',
    "NaN and infinities, which JSON has not, are the texts nan, inf and -inf.": (
        "JSON 没有 NaN 和无穷，它们写成文本 nan、inf 和 -inf。"
    ),
    "A mask hides a bad number from the value, not from the gradient:": "遮罩能把坏数从结果中挡住，却挡不住梯度：",
    "    y = paddle.where(x > 0, paddle.sqrt(x), zero)": "    y = paddle.where(x > 0, paddle.sqrt(x), zero)",
    "Where x is 0, y is 0, and sqrt is not asked for. But backward sends 0 to sqrt there, whose slope is infinite,": (
        "x 为 0 处 y 为 0，没有用到 sqrt。但反向时那里仍把 0 传给 sqrt，而它的斜率是无穷大，"
    ),
    "and 0 * inf is NaN: x.grad has a NaN although no value ever had one.": (
        "0 * inf 是 NaN：尽管没有任何值是 NaN，x.grad 却有 NaN。"
    ),
    "Mask what goes in, too, so that sqrt never meets a 0:": "输入也要遮住，使 sqrt 不会遇到 0：",
    "    safe = paddle.where(x > 0, x, one)": "    safe = paddle.where(x > 0, x, one)",
    "    y = paddle.where(x > 0, paddle.sqrt(safe), zero)": "    y = paddle.where(x > 0, paddle.sqrt(safe), zero)",
    "`nan` names the gradient rule in which it is born. Tutorial 12 hunts for one.": (
        "`nan` 指出它诞生于哪条梯度规则。教程 12 追查了一个例子。"
    ),
}
