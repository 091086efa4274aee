"""Correct training scripts, and pieces of networks."""

from tests.support.planted import script
from tests.support.planted_scripts.controls import control

SCRIPTS = [
    control(
        "frozen parts, and fine tuning",
        script("""
        body, head = paddle.nn.Linear(4, 5), paddle.nn.Linear(5, 2)
        for one in body.parameters():
            one.stop_gradient = True
        adam = paddle.optimizer.AdamW(0.01, parameters=head.parameters())
        for _ in range(3):
            F.cross_entropy(head(F.relu(body(x.detach()))), paddle.to_tensor([0, 1, 1])).backward()
            adam.step()
            adam.clear_grad()
        """),
        "--passes all",
    ),
    control(
        "two networks against each other",
        script("""
        paddle.seed(2)
        make, judge = paddle.nn.Linear(4, 4), paddle.nn.Linear(4, 1)
        a1 = paddle.optimizer.SGD(0.05, parameters=make.parameters())
        a2 = paddle.optimizer.SGD(0.05, parameters=judge.parameters())
        real = paddle.to_tensor(rng.normal(size=(8, 4)).astype("float32"))
        for _ in range(3):
            fake = make(paddle.to_tensor(rng.normal(size=(8, 4)).astype("float32")))
            one, zero = paddle.ones([8, 1]), paddle.zeros([8, 1])
            told = F.binary_cross_entropy_with_logits
            (told(judge(real), one) + told(judge(fake.detach()), zero)).backward()
            a2.step()
            a2.clear_grad()
            told(judge(fake), one).backward()
            a1.step()
            a1.clear_grad()
            a2.clear_grad()
        """),
        "--passes all",
    ),
    control(
        "running mean of weights, and a schedule",
        script("""
        paddle.seed(2)
        net, mean = paddle.nn.Linear(4, 1), paddle.nn.Linear(4, 1)
        mean.set_state_dict(net.state_dict())
        rate = paddle.optimizer.lr.StepDecay(0.1, 2)
        sgd = paddle.optimizer.Momentum(rate, 0.9, parameters=net.parameters())
        for _ in range(4):
            F.mse_loss(net(x.detach()), y.detach().sum(axis=1, keepdim=True)).backward()
            sgd.step()
            sgd.clear_grad()
            rate.step()
            with paddle.no_grad():
                for old, new in zip(mean.parameters(), net.parameters()):
                    old.set_value(old * 0.9 + new * 0.1)
        """),
        "--passes all",
    ),
    control(
        "validation between the steps",
        script("""
        paddle.seed(2)
        net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Dropout(0.2), paddle.nn.Linear(8, 2))
        adam = paddle.optimizer.Adam(0.01, parameters=net.parameters())
        labels = paddle.to_tensor([0, 1, 1])
        for _ in range(3):
            net.train()
            F.cross_entropy(net(x.detach()), labels).backward()
            adam.step()
            adam.clear_grad()
            net.eval()
            with paddle.no_grad():
                F.cross_entropy(net(y.detach()), labels)
        """),
        "--passes all",
    ),
    control(
        "masked attention",
        script("""
        mask = paddle.triu(paddle.full([3, 3], -1e9), 1)
        s = F.softmax(paddle.matmul(x, y, transpose_y=True) + mask, axis=-1)
        loss_of(paddle.matmul(s, p)).backward()
        """),
    ),
    control(
        "masked with minus infinity",
        script("""
        keep = paddle.tril(paddle.ones([3, 3])) > 0
        z = paddle.where(keep, paddle.matmul(x, y, transpose_y=True), paddle.full([3, 3], float("-inf")))
        loss_of(paddle.matmul(F.softmax(z, axis=-1), p)).backward()
        """),
    ),
    control(
        "recurrent",
        script("""
        paddle.seed(2)
        cell = paddle.nn.Linear(8, 4)
        h = paddle.zeros([3, 4])
        for _ in range(6):
            h = paddle.tanh(cell(paddle.concat([h, x.detach()], axis=1)))
        (h ** 2).mean().backward()
        """),
    ),
    control(
        "shared weights",
        script("""
        paddle.seed(2)
        words = paddle.nn.Embedding(6, 4)
        h = words(paddle.to_tensor([[0, 3], [3, 5]]))
        F.cross_entropy(paddle.matmul(h, words.weight, transpose_y=True).reshape([4, 6]),
                        paddle.to_tensor([1, 2, 3, 4])).backward()
        """),
    ),
    control(
        "norm of gradients clipped",
        script("""
        paddle.seed(2)
        net = paddle.nn.Linear(4, 3)
        clip = paddle.nn.ClipGradByGlobalNorm(0.1)
        sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters(), grad_clip=clip)
        for _ in range(3):
            (net(x.detach()) ** 2).sum().backward()
            sgd.step()
            sgd.clear_grad()
        """),
        "--passes all",
    ),
    control(
        "penalty of a critic",
        script("""
        paddle.seed(2)
        net = paddle.nn.Sequential(paddle.nn.Linear(4, 5), paddle.nn.Tanh(), paddle.nn.Linear(5, 1))
        t = paddle.to_tensor(rng.uniform(size=(3, 4)).astype("float32"))
        t.stop_gradient = False
        (g,) = paddle.grad(net(t).sum(), t, create_graph=True)
        ((((g ** 2).sum(axis=1).sqrt() - 1) ** 2).mean() + net(t).mean()).backward()
        """),
    ),
]
